import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { DEMO_SETTINGS } from '#app/settings/server/defaults.ts'
import { photoOf } from '#tests/support/back-office.ts'
import { expect } from '#tests/support/journey.ts'
import { test as base } from '#tests/support/own-shop.ts'

/** A shop of its own: the other journeys expect the settings of the specification. */
const test = base.extend({
  environment: async ({ browserName: _ }, use, testInfo) => {
    // each starts a shop
    testInfo.slow()
    await use({})
  },
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** Saves a page of the settings, whose bar goes away. */
async function save(page: Page) {
  await press(page, 'Save settings')
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeHidden()
}

/** Opens another page of the settings. */
async function open(page: Page, title: string) {
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await page.getByRole('link', { name: new RegExp(`^${title}`) }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

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
  await page.goto('/dashboard/admin/settings')
  await field(page, 'Find a setting').fill('language')
  await expect(page.getByText('There is no such setting.')).toBeVisible()
  await field(page, 'Find a setting').fill('tagline')
  await page.getByRole('link', { name: /^General/ }).click()
  const name = field(page, 'Name')
  await name.fill('')
  await press(page, 'Save settings')
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription('Enter the name of the shop.')
  await name.fill('Tea House')
  await save(page)

  await open(page, 'Brand')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('Tea House')
  await field(page, 'Accent colour').fill('#e9a23b')
  await expect(field(page, 'Accent colour')).toHaveAccessibleDescription(/contrast of 1\.9 : 1/)
  await press(page, 'Save settings')
  await expect(field(page, 'Accent colour')).toBeFocused()
  await field(page, 'Accent colour').fill('#1d4ed8')
  await save(page)

  await open(page, 'Home page')
  await press(page, 'Add a slide')
  const slide = page.getByRole('group', { name: 'Slide 1' })
  await slide.getByLabel('Title').fill('Summer sale')
  await slide.getByLabel('Link').fill('javascript:alert(1)')
  await slide.getByLabel('Picture').setInputFiles(await photoOf('#123456'))
  await expect(slide.getByAltText('Slide 1', { exact: true })).toHaveAttribute('src', /picture/)
  await press(page, 'Save settings')
  await expect(slide.getByLabel('Link')).toHaveAccessibleDescription(/starts with https/)
  await expect(slide.getByLabel('Title')).toHaveValue('Summer sale')
  await slide.getByLabel('Link').fill('/about')
  await expect(preview).toContainText('Summer sale')
  await save(page)

  await open(page, 'Texts and legal pages')
  await field(page, 'Text of About').fill(
    '# Since 1901\n\nWe sell **tea** <script>alert(1)</script>',
  )
  await page.getByText('Preview of about').click()
  await expect(page.getByRole('heading', { name: 'Since 1901' })).toBeVisible()
  await save(page)

  // a page that was open before the change, and its next page
  await guest.getByRole('link', { name: 'About', exact: true }).click()
  await expect(guest).toHaveTitle('About us · Tea House')
  await expect(guest.getByRole('heading', { name: 'Since 1901' })).toBeVisible()
  await expect(guest.getByRole('main')).toContainText('We sell tea')
  expect(await brandColour(guest, 'Tea House')).toBe('rgb(29, 78, 216)')
  await guest.goto('/')
  await expect(guest).toHaveTitle('Tea House')
  await guest.getByRole('link', { name: 'Summer sale' }).click()
  await expect(guest).toHaveURL('/about')
  await guest.context().close()
})

test('what is changed in the slides while a picture uploads stays, and is what is saved', async ({
  page,
  admin,
}) => {
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const body = { revision, settings: { ...settings, slides: DEMO_SETTINGS.slides } }
  await admin.call(settingsAdminCalls.saveSettings, { body })
  await page.goto('/dashboard/admin/settings/home')
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
  await save(page)
  const saved = await texts()
  expect(saved.map(({ title }) => title)).toEqual(['For slower mornings', 'First', 'Third'])
  expect(saved[0]).toMatchObject({ text: 'Bowls and cups' })
  expect(saved[0]?.picture).not.toMatch(/^slide-/)
  expect(saved[1]).toMatchObject({ picture: one?.picture, text: one?.text })
  expect(saved.map(({ title }) => title)).not.toContain(three?.title)
})

test('two admins who save at once do not overwrite each other', async ({ page, admin }) => {
  await page.goto('/dashboard/admin/settings/general')
  await expect(field(page, 'Name')).toHaveValue('Haat')
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const body = { revision, settings: { ...settings, name: 'Souk' } }
  await admin.call(settingsAdminCalls.saveSettings, { body })
  await field(page, 'Tagline').fill('of mine')
  await press(page, 'Save settings')
  const conflict = page.getByRole('alert').filter({ hasText: 'changed meanwhile' })
  await expect(conflict).toBeFocused()
  await expect(field(page, 'Tagline')).toHaveValue('of mine')
  await conflict.getByRole('button', { name: 'Load it again' }).click()
  await expect(field(page, 'Name')).toHaveValue('Souk')
  await field(page, 'Tagline').fill('of mine')
  await save(page)
  expect((await admin.call(settingsAdminCalls.getAllSettings)).settings).toMatchObject({
    name: 'Souk',
    tagline: 'of mine',
  })
})

test('a file brings settings back, and a wrong one changes nothing', async ({ page, admin }) => {
  const read = async () => (await admin.call(settingsAdminCalls.getAllSettings)).settings
  await page.goto('/dashboard/admin/settings')
  const download = page.waitForEvent('download')
  await press(page, 'Export settings')
  const exported = await readFile(await (await download).path())
  await page.goto('/dashboard/admin/settings/delivery')
  await field(page, 'Low stock').fill('1.5')
  await press(page, 'Save settings')
  await expect(field(page, 'Low stock')).toHaveAccessibleDescription(/whole number from 0/)
  await field(page, 'Low stock').fill('3')
  await save(page)
  expect((await read()).lowStock).toBe(3)

  await page.goto('/dashboard/admin/settings')
  await press(page, 'Import settings')
  const choose = async (buffer: Buffer) => {
    const chosen = { name: 'settings.json', mimeType: 'application/json', buffer }
    await field(page, 'File').setInputFiles(chosen)
    await press(page, 'Replace')
  }
  const file = JSON.parse(String(exported))
  const damaged = { ...file, settings: { ...file.settings, priceBands: null } }
  await choose(Buffer.from(JSON.stringify(damaged)))
  await expect(field(page, 'File')).toHaveAccessibleDescription(/no export of settings/)
  await choose(exported)
  await expect(page.getByText('The settings are saved')).toBeVisible()
  expect(await read()).toMatchObject({ name: 'Haat', lowStock: 5 })
})

test('what only the server refuses is shown once, at its field', async ({ page, admin: _ }) => {
  await page.goto('/dashboard/admin/settings/prices')
  // they are read at the same path
  await expect(field(page, 'Price bands')).toBeVisible()
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
  await field(page, 'Price bands').fill('0, 50')
  await press(page, 'Save settings')
  const currency = field(page, 'Currency')
  await expect(currency).toBeFocused()
  await expect(currency).toHaveAccessibleDescription(/Payments are charged in INR\./)
  await expect(page.getByText('Payments are charged in INR.')).toHaveCount(1)
  await expect(field(page, 'Price bands')).toHaveValue('0, 50')
  await currency.selectOption('INR')
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
