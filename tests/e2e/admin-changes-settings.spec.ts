import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { photoOf } from '#tests/support/back-office.ts'
import { test as base, expect } from '#tests/support/journey.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'

/** Opens the account of the admin in a shop that is not running. */
function createAdmin(folder: string) {
  const { email, password } = DEMO_ADMIN
  const words = ['admin', 'create', '--email', email, '--name', 'Ada', '--password-stdin']
  execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', ...words],
    { input: password, env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' } },
  )
}

/** A shop of its own: the other journeys expect the settings of the specification. */
const test = base.extend({
  address: async ({ browserName: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'haat-settings-'))
    createAdmin(folder)
    const shop = await startShopProcess({ DATA_DIR: folder, DEMO: 'off' })
    await use(shop.address)
    await shop.stop()
    await rm(folder, { recursive: true })
  },
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** The colour of the shop's name in the navbar. */
const brandColour = (page: Page, name: string) =>
  page
    .getByRole('banner')
    .getByRole('link', { name, exact: true })
    .evaluate((link) => getComputedStyle(link).color)

test('what an admin changes is on the next page of a guest, and a wrong value is refused at its field', {
  tag: ['@journey', '@phone'],
}, async ({ page, browser, address, admin: _ }) => {
  const guest = await (await browser.newContext({ baseURL: address })).newPage()
  await guest.goto('/policy')
  await expect(guest).toHaveTitle('Privacy Policy · Haat')

  await page.goto('/dashboard/admin')
  await page.getByRole('navigation', { name: 'Admin Page' }).getByText('Settings').click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await field(page, 'Name').fill('')
  await field(page, 'Accent colour').fill('#e9a23b')
  await expect(field(page, 'Accent colour')).toHaveAccessibleDescription(/contrast of 1\.9 : 1/)
  const slide = page.getByRole('group', { name: 'Slide 1' })
  await slide.getByLabel('Title').fill('Summer sale')
  await slide.getByLabel('Link').fill('javascript:alert(1)')
  await slide.getByLabel('Picture').setInputFiles(await photoOf('#123456'))
  await expect(slide.getByAltText('Slide 1', { exact: true })).toHaveAttribute('src', /picture/)
  await field(page, 'Text of About').fill(
    '# Since 1901\n\nWe sell **tea** <script>alert(1)</script>',
  )
  await press(page, 'Save settings')

  const name = field(page, 'Name')
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription('Enter the name of the shop.')
  await expect(slide.getByLabel('Link')).toHaveAccessibleDescription(/starts with https/)
  await expect(slide.getByLabel('Title')).toHaveValue('Summer sale')
  await name.fill('Tea House')
  await field(page, 'Accent colour').fill('#1d4ed8')
  await slide.getByLabel('Link').fill('/about')
  await expect(preview).toContainText('Tea House')
  await expect(preview).toContainText('Summer sale')
  await page.getByText('Preview of about').click()
  await expect(page.getByRole('heading', { name: 'Since 1901' })).toBeVisible()
  await press(page, 'Save settings')
  await expect(page.getByText('The settings are saved')).toBeVisible()
  expect(await brandColour(page, 'Tea House')).toBe('rgb(29, 78, 216)')

  // a page that was open before the change, and its next page
  await guest.getByRole('link', { name: 'About', exact: true }).click()
  await expect(guest).toHaveTitle('About us · Tea House')
  await expect(guest.getByRole('heading', { name: 'Since 1901' })).toBeVisible()
  await expect(guest.getByRole('main')).toContainText('We sell tea')
  expect(await brandColour(guest, 'Tea House')).toBe('rgb(29, 78, 216)')
  await guest.goto('/')
  await expect(guest).toHaveTitle('Tea House: the open-air market')
  await guest.getByRole('link', { name: 'Summer sale' }).click()
  await expect(guest).toHaveURL('/about')
  await guest.context().close()
})

test('what is changed in the slides while a picture uploads stays, and is what is saved', async ({
  page,
  admin,
}) => {
  await page.goto('/dashboard/admin/settings')
  let finish = () => {}
  const upload = new Promise<void>((resolve) => {
    finish = resolve
  })
  await page.route(
    (url) => url.pathname.endsWith(settingsAdminCalls.uploadPicture.path),
    async (route) => {
      await upload
      await route.continue()
    },
  )
  const slide = (number: number) =>
    page.getByRole('group', { name: `Slide ${number}`, exact: true })
  const title = (number: number) => slide(number).getByLabel('Title')
  const texts = async () => (await admin.call(settingsAdminCalls.getAllSettings)).settings.slides
  const [one, , three] = await texts()
  await slide(2)
    .getByLabel('Picture')
    .setInputFiles(await photoOf('#123456'))
  await title(2).fill('For slower mornings')
  await slide(2).getByLabel('Text').fill('Bowls and cups')
  await title(1).fill('First')
  // the slide whose picture uploads becomes the first one, and another one is gone
  await press(page, 'Move up Slide 2')
  await press(page, 'Remove Slide 3')
  await press(page, 'Add a slide')
  await title(3).fill('Third')
  finish()
  await expect(page.getByText('The picture is uploaded')).toBeVisible()
  await expect(title(1)).toHaveValue('For slower mornings')
  await expect(title(2)).toHaveValue('First')
  await expect(title(3)).toHaveValue('Third')
  await slide(3)
    .getByLabel('Picture')
    .setInputFiles(await photoOf('#654321'))
  await expect(slide(3).getByAltText('Slide 3', { exact: true })).toHaveAttribute('src', /picture/)
  await press(page, 'Save settings')
  await expect(page.getByText('The settings are saved')).toBeVisible()
  const saved = await texts()
  expect(saved.map(({ title }) => title)).toEqual(['For slower mornings', 'First', 'Third'])
  expect(saved[0]).toMatchObject({ text: 'Bowls and cups' })
  expect(saved[0]?.picture).not.toMatch(/^slide-/)
  expect(saved[1]).toMatchObject({ picture: one?.picture, text: one?.text })
  expect(saved.map(({ title }) => title)).not.toContain(three?.title)
})

test('two admins who save at once do not overwrite each other, and a file brings settings back', async ({
  page,
  admin,
}) => {
  await page.goto('/dashboard/admin/settings')
  await expect(field(page, 'Name')).toHaveValue('Haat')
  const download = page.waitForEvent('download')
  await press(page, 'Export settings')
  const exported = await readFile(await (await download).path())

  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const body = { revision, settings: { ...settings, name: 'Souk', priceBands: [0, 50] } }
  await admin.call(settingsAdminCalls.saveSettings, { body })
  await field(page, 'Tagline').fill('of mine')
  await press(page, 'Save settings')
  const conflict = page.getByRole('alert').filter({ hasText: 'changed meanwhile' })
  await expect(conflict).toBeFocused()
  await expect(page.getByText('changed meanwhile')).toHaveCount(1)
  await expect(field(page, 'Tagline')).toHaveValue('of mine')
  await conflict.getByRole('button', { name: 'Load them again' }).click()
  await expect(field(page, 'Name')).toHaveValue('Souk')
  await expect(field(page, 'Price bands')).toHaveValue('0, 50')

  const choose = (buffer: Buffer) =>
    page
      .getByLabel('Import settings')
      .setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer })
  const file = JSON.parse(String(exported))
  const damaged = { ...file, settings: { ...file.settings, priceBands: null } }
  await choose(Buffer.from(JSON.stringify(damaged)))
  await expect(page.getByText('This file is no export of settings.')).toBeVisible()
  await choose(exported)
  await expect(field(page, 'Name')).toHaveValue('Haat')
  await field(page, 'Low stock').fill('many')
  await press(page, 'Save settings')
  await expect(field(page, 'Low stock')).toHaveAccessibleDescription(/whole number from 0/)
  await field(page, 'Low stock').fill('3')
  await press(page, 'Save settings')
  await expect(page.getByText('The settings are saved')).toBeVisible()
  expect((await admin.call(settingsAdminCalls.getAllSettings)).settings).toMatchObject({
    name: 'Haat',
    lowStock: 3,
    priceBands: [0, 20, 40, 60, 80, 100],
  })
})

test('what only the server refuses is shown once, at its field', async ({ page, admin: _ }) => {
  await page.goto('/dashboard/admin/settings')
  // they are read at the same path
  await expect(field(page, 'Tagline')).toBeVisible()
  await page.route(
    (url) => url.pathname.endsWith(settingsAdminCalls.saveSettings.path),
    (route) =>
      route.fulfill({
        status: 400,
        json: {
          success: false,
          code: 'invalid',
          message: 'currencyDisplay: Payments are charged in INR.',
          field: 'currencyDisplay',
          fields: [{ field: 'currencyDisplay', message: 'Payments are charged in INR.' }],
          requestId: 'req-1',
        },
      }),
  )
  await field(page, 'Tagline').fill('of mine')
  await press(page, 'Save settings')
  const currency = field(page, 'Currency')
  await expect(currency).toBeFocused()
  await expect(currency).toHaveAccessibleDescription(/^Payments are charged in INR\. /)
  await expect(page.getByText('Payments are charged in INR.')).toHaveCount(1)
  await expect(field(page, 'Tagline')).toHaveValue('of mine')
  await currency.fill('INR')
  await expect(page.getByText('Payments are charged in INR.')).toHaveCount(0)
})

test('a visitor has the theme of the settings, until they choose one themselves', async ({
  browser,
  address,
  admin,
}) => {
  const save = async (scheme: 'system' | 'light' | 'dark') => {
    const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
    const body = { revision, settings: { ...settings, scheme } }
    await admin.call(settingsAdminCalls.saveSettings, { body })
  }
  const context = await browser.newContext({ baseURL: address, colorScheme: 'light' })
  const guest = await context.newPage()
  const html = guest.locator('html')
  const chosen = guest.getByLabel('Theme')
  const follow = (name: string) =>
    guest.getByRole('contentinfo').getByRole('link', { name, exact: true }).click()
  const bars = () =>
    guest
      .locator('meta[name=theme-color]')
      .evaluateAll((metas) =>
        metas
          .filter((meta) => matchMedia(meta.getAttribute('media') ?? '').matches)
          .map((meta) => meta.getAttribute('content')),
      )
  await guest.goto('/about')
  await expect(chosen).toHaveValue('system')

  await save('dark')
  await follow('Contact')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await expect(chosen).toHaveValue('dark')
  expect(await bars()).toEqual(['#2a211b'])
  expect(await (await guest.request.get('/about')).text()).toMatch(/<html[^>]* data-theme="dark"/)

  await chosen.selectOption('Light')
  await guest.reload()
  await expect(html).toHaveAttribute('data-theme', 'light')
  expect(await bars()).toEqual(['#fffdf8'])
  await save('system')
  await follow('About')
  await expect(guest).toHaveTitle(/^About us/)
  await expect(html).toHaveAttribute('data-theme', 'light')
  await chosen.selectOption('System')
  await expect(html).not.toHaveAttribute('data-theme')
  await context.close()
})
