import type { Locator, Page } from '@playwright/test'
import { overviewCalls } from '#app/overview/admin-contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { logIn } from '#tests/support/account-forms.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'

const COUNTDOWN = /Redirecting to you \d second/

test('an admin finds the own card and the ways through the back office', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, isMobile }) => {
  await page.goto('/')
  await page.getByRole('button', { name: admin.user.name }).click()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard/admin')
  await page.setViewportSize(isMobile ? { width: 390, height: 844 } : { width: 1280, height: 900 })
  const card = page.getByRole('region', { name: admin.user.name })
  await expect(card).toContainText(admin.user.email)
  await expect(card).toContainText(admin.user.phone)
  // in the first screen, whatever else is on the page
  await expect(card).toBeInViewport({ ratio: 1 })
  if (isMobile) await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('navigation', { name: 'Admin Page' })
  // once, so that the drawer of a phone has room for its entries
  await expect(page.getByRole('link', { name: /: go to the shop$/ })).toHaveCount(1)
  for (const [entry, address] of Object.entries({
    'Create Category': 'create-category',
    'Create Product': 'create-product',
    Products: 'products',
    Orders: 'orders',
    Users: 'users',
  })) {
    const link = menu.getByRole('link', { name: entry, exact: true })
    await expect(link).toHaveAttribute('href', `/dashboard/admin/${address}`)
  }
})

test('an admin who logs in comes to the remembered page, where one line leads to the back office', {
  tag: ['@journey', '@phone'],
}, async ({ page, customer }) => {
  const { email, password } = DEMO_ADMIN
  const line = page.getByRole('complementary', { name: 'Back office' })
  await page.goto('/login?from=%2Fabout')
  await logIn(page, customer.email, customer.password)
  await expect(page).toHaveURL('/about')
  await expect(line).toBeHidden()

  await page.goto('/login')
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
  await page.goto('/login?from=%2Fabout')
  await logIn(page, email, password)
  await expect(page).toHaveURL('/about')
  await line.getByRole('button', { name: 'Not now' }).click()
  await expect(line).toBeHidden()

  await page.goto('/login')
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
  await logIn(page, email, password)
  await expect(page).toHaveURL('/')
  const edge = page.getByRole('banner').locator('> [aria-hidden=true]')
  const bottomOf = async (part: Locator) => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {}
    return y + height
  }
  for (const part of [line.getByRole('link'), line.getByRole('button')])
    expect((await part.boundingBox())?.y).toBeGreaterThanOrEqual(await bottomOf(edge))
  await line.getByRole('link', { name: 'Go to the back office' }).click()
  await expect(page).toHaveURL('/dashboard/admin')
})

test('a count in the menu is no part of the name of its link', { tag: '@phone' }, async ({
  page,
  admin,
  customer,
  isMobile,
}) => {
  await buy(customer, [await createProduct(admin, named('Cup'))])
  await admin.call(overviewCalls.getWaiting, { query: { fresh: true } })
  await page.goto('/dashboard/admin')
  const menus = page.getByRole('navigation', { name: isMobile ? 'Most used' : 'Admin Page' })
  const link = menus.getByRole('link', { name: 'Orders', exact: true })
  await expect(link).toHaveAccessibleDescription(/^[\d,]+ orders? to send$/)
  await expect(link).toHaveText('Orders')
  await expect(menus.getByText(/^[\d,]+ orders? to send$/)).toBeInViewport()
})

test('while the back office loads, its outlines are in their place', async ({ page, admin: _ }) => {
  const { promise: late, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/auth/admin-auth', async (route) => {
    await late
    await route.continue()
  })
  await page.goto('/dashboard/admin/orders')
  const outline = page.locator('.back-office-main .surface')
  await expect(page.getByText('Checking')).toBeAttached()
  const before = await outline.boundingBox()
  answer()
  await expect(page.getByRole('heading', { name: 'All Orders' })).toBeVisible()
  const main = await page.getByRole('heading', { name: 'All Orders' }).boundingBox()
  // beside the menu, not above it
  expect(before?.x).toBe(main?.x)
  expect(before?.height).toBeGreaterThan(300)
})

/** Passes the seconds of the countdown until it ends at the home page. */
const countDown = (page: Page) =>
  expect(async () => {
    await page.clock.fastForward('00:01')
    await expect(page).toHaveURL('/', { timeout: 100 })
  }).toPass()

test('a guest is counted down to the home page', async ({ page }) => {
  await page.clock.install()
  await page.goto('/dashboard/admin/products')
  await expect(page.getByText(COUNTDOWN)).toBeVisible()
  await countDown(page)
})

test('an ordinary user is counted down too, whatever the browser claims', async ({
  page,
  context,
  address,
  signedIn,
}) => {
  const { token, user } = signedIn
  const session = { name: 'auth', value: JSON.stringify({ token, user: { ...user, role: 1 } }) }
  await context.setStorageState({
    cookies: [],
    origins: [{ origin: address, localStorage: [session] }],
  })
  await page.clock.install()
  await page.goto('/dashboard/admin/create-category')
  await expect(page.getByText(COUNTDOWN)).toBeVisible()
  await expect(page.getByPlaceholder('Enter new category')).toHaveCount(0)
  await countDown(page)
})

test("reads the server's sentence where a page cannot be shown", async ({ page, admin }) => {
  expect(admin.user.role).toBe(1)
  const message = 'Too many requests. Please try again in a minute.'
  const busy = { success: false, code: 'rate_limited', message }
  await page.route('**/product/stored-product/clay-cup', (route) =>
    route.fulfill({ status: 429, json: busy }),
  )
  await page.goto('/dashboard/admin/product/clay-cup')
  await expect(page.getByRole('heading', { name: message })).toBeVisible()
})
