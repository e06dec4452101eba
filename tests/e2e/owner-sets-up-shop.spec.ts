import type { Page } from '@playwright/test'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { createProduct, photoOf } from '#tests/support/back-office.ts'
import { codeIn } from '#tests/support/first-run.ts'
import { expect, logIn } from '#tests/support/journey.ts'
import { testInNewShop as test } from '#tests/support/own-shop.ts'

/** The steps of the checklist about connections, for services that do not answer. */
const LIVE = {
  PAYMENTS: '',
  RAZORPAY_KEY_ID: 'rzp_live_1',
  RAZORPAY_KEY_SECRET: 'secret-of-razorpay',
  RAZORPAY_API_URL: 'http://127.0.0.1:1',
  CURRENCY_CHARGE: 'USD',
  RATE_LIMIT: 'on',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'shop@example.com',
  SHOP_URL: 'https://shop.example.com',
  TRUST_PROXY: 'loopback',
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const checklist = (page: Page) => page.getByRole('region', { name: 'Set up your shop' })
const step = (page: Page, name: string) =>
  checklist(page).getByRole('listitem').filter({ hasText: name })

test('the owner makes the first admin with the printed code, and follows the checklist', {
  tag: '@journey',
}, async ({ page, browser, ownShop, shop, address }) => {
  test.slow()
  const guest = await (await browser.newContext({ baseURL: address })).newPage()
  await guest.goto('/')
  await expect(guest.getByText('This shop is new and has no admin yet.')).toBeVisible()

  await page.goto('/')
  await page.getByRole('link', { name: 'Set up the shop' }).click()
  await expect(page.getByRole('heading', { name: 'Set up your shop' })).toBeVisible()
  await expectAccessible(page, 'the first run')
  await press(page, 'Open the shop')
  await expect(field(page, 'Code')).toBeFocused()
  await expect(field(page, 'Shop name')).toHaveAccessibleDescription(/^Shop name is required\./)
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(7)
  await field(page, 'Country').selectOption('IN')
  await field(page, 'Currency').selectOption('USD')
  await expect(field(page, 'Time zone')).toHaveValue(/^(UTC|\w+\/\w+)/)
  await field(page, 'Time zone').selectOption('Asia/Calcutta')
  await field(page, 'Code').fill('AAAA-AAAA-AAAA-AAAA')
  await field(page, 'Shop name').fill('Tea House')
  await field(page, 'Your name').fill('Ada')
  await field(page, 'Email').fill('ada@example.com')
  await field(page, 'Password').fill('correct-horse')
  await page.getByLabel('Show the password').check()
  await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
  await page.getByLabel('Show the password').uncheck()
  await expect(field(page, 'Password')).toHaveAttribute('type', 'password')
  await press(page, 'Open the shop')
  await expect(page.getByText(/^This code is wrong\./)).toHaveCount(1)
  await expect(field(page, 'Code')).toBeFocused()
  await expect(field(page, 'Code')).toHaveAccessibleDescription(/This code is wrong\./)
  await expect(field(page, 'Shop name')).toHaveValue('Tea House')
  await field(page, 'Code').fill(codeIn(shop.written()))
  await press(page, 'Open the shop')

  await expect(page).toHaveURL('/dashboard/admin')
  await expect(page.getByRole('banner')).toContainText('Tea House')
  await expect(checklist(page)).toContainText('1 of 9 steps are done.')
  const regions = await page.getByRole('main').getByRole('region').all()
  const names = await Promise.all(
    regions.map((region) => region.getByRole('heading').first().textContent()),
  )
  expect(names.slice(0, 2)).toEqual(['Ada', 'Set up your shop'])
  await expect(step(page, 'Payments').first()).toContainText(
    'Enter the keys of your payment provider',
  )
  const findings = page.getByRole('region', { name: 'Checks of the installation' })
  await expect(findings).toContainText('Test payments: they go to the sandbox')
  await expectAccessible(page, 'the checklist')

  await page.getByRole('link', { name: 'Logo and colours' }).click()
  await page.getByLabel('Logo', { exact: true }).setInputFiles(await photoOf('#123456'))
  await expect(page.getByAltText('The logo')).toBeVisible()
  await press(page, 'Save settings')
  await expect(page.getByText('The settings are saved')).toBeVisible()
  const secrets = { email: 'ada@example.com', password: 'correct-horse', answer: '' }
  const ada = await logIn(address, secrets)
  await createProduct(ada, 'Clay cup')
  await page.goto('/dashboard/admin')
  await expect(checklist(page)).toContainText('3 of 9 steps are done.')
  await expect(step(page, 'Name and logo').first()).toContainText('done')

  await guest.goto('/')
  await expect(guest).toHaveTitle('Tea House')
  await expect(guest.getByRole('region', { name: 'Highlights' })).toHaveCount(0)
  await expect(guest.getByRole('link', { name: 'Set up the shop' })).toHaveCount(0)
  await guest.goto('/first-run')
  await expect(guest.getByRole('heading', { name: 'Oops ! Page Not Found' })).toBeVisible()
  await guest.goto('/')
  for (const name of ['About', 'Contact', 'Policy']) {
    await guest.getByRole('contentinfo').getByRole('link', { name }).click()
    await expect(guest.getByRole('main')).toContainText('We are still writing this page.')
    await expect(guest.getByRole('link', { name: 'Write it now' })).toHaveCount(0)
  }
  await guest.context().close()
  await page.goto('/about')
  await page.getByRole('link', { name: 'Write it now' }).click()
  await expect(field(page, 'Text of About')).toBeVisible()

  const { revision, settings } = await ada.call(settingsAdminCalls.getAllSettings)
  const slides = [{ picture: 'slide-1', title: 'Tea for all', text: '', link: '' }]
  const texts = { about: 'Two sisters.', contact: 'Call us.', policy: 'We keep no data.' }
  const filled = { ...settings, ...texts, slides, email: 'ada@example.com' }
  await ada.call(settingsAdminCalls.saveSettings, { body: { revision, settings: filled } })
  await ownShop.restart(LIVE)
  await page.goto('/dashboard/admin')
  await expect(findings).toContainText('E-mail: the SMTP server 127.0.0.1:1 cannot be used')
  await expect(checklist(page)).toHaveCount(0)
  await expectAccessible(page, 'problems of a shop that is set up')
})
