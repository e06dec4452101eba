/**
 * The specification, sentence by sentence, in the demo as `npm start` starts it: accounts, cart, payment and the user's
 * area. The titles are its words (docs/specification.md).
 */
import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { fillRegistration, logIn } from '#tests/support/account-forms.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { addToCart, openCart, productsInStock, store, stored } from '#tests/support/cart.ts'
import { expect, keepSession, logIn as logInByCall, test } from '#tests/support/journey.ts'
import { confirm, payButton } from '#tests/support/payment-dialog.ts'
import { buy } from '#tests/support/purchase.ts'
import { says } from '#tests/support/specification.ts'

const tag = ['@journey', '@specification']

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text).first()
const redirecting = (page: Page, seconds: number) =>
  page.getByText(`Redirecting to you ${seconds} second`)
/** The menu under the name of who is logged in. */
const accountMenu = (page: Page) => page.locator('[popovertarget=account-menu]')

test(says(
  "Logged in: a dropdown showing the user's name with Dashboard (to /dashboard/admin if role equals 1, otherwise /dashboard/user) and Logout (clears the stored session, goes to /login).",
  'Logout clears both and removes the stored auth.',
  'Admin role value: 1.',
  'Storage keys: auth, cart.',
), { tag }, async ({ page, address, context, signedIn }) => {
  await page.goto('/')
  await expect(accountMenu(page)).toContainText(signedIn.user.name)
  await accountMenu(page).click()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard/user')
  await accountMenu(page).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  expect(await stored(page, 'auth')).toBeNull()
  await keepSession(context, address, await logInByCall(address, DEMO_ADMIN))
  await page.goto('/')
  await accountMenu(page).click()
  expect((await stored(page, 'auth')).user.role).toBe(1)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard/admin')
})

test(says(
  'Login: welcome card, a hint showing demo admin credentials ({email} / {password}), a Forgot Password? link to /forgot-password, Login and Register buttons.',
), { tag }, async ({ page }) => {
  await page.goto('/login')
  const main = page.getByRole('main')
  await expect(heading(page)).toHaveText(/^Welcome/)
  await expect(main).toContainText(`${DEMO_ADMIN.email} / ${DEMO_ADMIN.password}`)
  await expect(main.getByRole('link', { name: 'Forgot Password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  )
  await expect(main.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Register' })).toBeVisible()
})

test(says(
  'Registration success navigates to /login.',
  'Password reset success navigates to /login.',
  'Auth: logged out becomes logged in on successful login.',
  'User and token go to shared state and local storage, then the product navigates to the remembered page or /.',
  "the server's message on register, login and reset",
), { tag }, async ({ page }) => {
  const email = `${crypto.randomUUID()}@example.com`
  await page.goto('/register')
  await fillRegistration(page, email)
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expect(page).toHaveURL('/login')
  await expect(toast(page, 'Registered successfully')).toBeVisible()
  await page.goto('/forgot-password')
  const main = page.getByRole('main')
  await main.getByLabel('Email').last().fill(email)
  await main.getByLabel('Answer').fill('cricket')
  await main.getByLabel('New Password').fill('battery-staple')
  await main.getByRole('button', { name: 'RESET', exact: true }).click()
  await expect(page).toHaveURL('/login')
  await expect(toast(page, 'Password reset successfully')).toBeVisible()
  await logIn(page, email, 'battery-staple')
  await expect(page).toHaveURL('/')
  await expect(toast(page, 'Logged in successfully')).toBeVisible()
  expect(await stored(page, 'auth')).toMatchObject({ user: { email }, token: expect.any(String) })
})

test(says(
  '/cart | Cart',
  'Greeting, item count, items each with Remove and a description cut at 50 characters, total, delivery address with an Update Address button, and a Make Payment button.',
  'Make Payment shows only when logged in, the cart is non-empty and the user has an address.',
), { tag }, async ({ page, signedIn, call }) => {
  const [one, other] = await productsInStock(call, 2)
  if (!one || !other) throw new Error('no products')
  await page.goto('/cart')
  await expect(heading(page)).toHaveText(`Hello ${signedIn.user.name}`)
  await expect(payButton(page)).toHaveCount(0)
  await openCart(page, [one, other])
  await expect(page.getByText('You have 2 items in your cart')).toBeVisible()
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem')
  await expect(items.first()).toContainText(`${one.description.slice(0, 50)}...`)
  await expect(items.first().getByRole('button', { name: 'Remove' })).toBeVisible()
  const summary = page.getByRole('complementary', { name: 'Summary' })
  await expect(summary).toContainText(`$${(one.price + other.price).toFixed(2)}`)
  await expect(summary).toContainText(signedIn.user.address)
  await expect(summary.getByRole('button', { name: 'Update Address' })).toBeVisible()
  await expect(payButton(page)).toBeEnabled()
})

test(says('A logged-in user without an address sees Update Address, leading to the profile.'), {
  tag,
}, async ({ page, signedIn, call }) => {
  await openCart(page, await productsInStock(call, 1))
  await store(page, 'auth', { user: { ...signedIn.user, address: '' }, token: signedIn.token })
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Update Address' }).click()
  await expect(page).toHaveURL('/dashboard/user/profile')
})

test(says(
  "A guest sees 'Please Login to Checkout', leading to /login with the cart path as the return location.",
), { tag }, async ({ page, customer, call }) => {
  await openCart(page, await productsInStock(call, 1))
  await expect(payButton(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Please Login to Checkout' }).click()
  await expect(page).toHaveURL('/login')
  await logIn(page, customer.email)
  await expect(page).toHaveURL('/cart')
})

test(says(
  'Cart: add appends the product (duplicates allowed); remove deletes one matching item.',
  "'Item Added to Cart'",
), { tag }, async ({ page, call }) => {
  const [product] = await productsInStock(call, 1)
  await page.goto(`/product/${product?.slug}`)
  const add = page.getByRole('button', { name: 'ADD TO CART', exact: true })
  await add.click()
  await expect(toast(page, 'Item Added to Cart')).toBeVisible()
  await addToCart(add)
  await expect.poll(async () => (await stored(page, 'cart')).length).toBe(2)
  const { _id, name, description, price } = product ?? {}
  expect((await stored(page, 'cart'))[1]).toMatchObject({ _id, name, description, price })
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(async () => (await stored(page, 'cart')).length).toBe(1)
})

test(says(
  'A successful payment clears the cart and goes to /dashboard/user/orders.',
  "'Payment Successful'",
  'Payment amount: the sum of the prices times 100, rounded.',
  'The currency is INR, while the cart total is shown in USD format and some prices with $ or ₹.',
  'Order payment display: Success if a payment id exists, otherwise Failed.',
), { tag }, async ({ page, signedIn, call }) => {
  const [one, other] = await productsInStock(call, 2)
  if (!one || !other) throw new Error('no products')
  await openCart(page, [one, other])
  const started = page.waitForResponse('**/razorpay/order')
  await payButton(page).click()
  const sum = Math.round(one.price * 100) + Math.round(other.price * 100)
  expect(await (await started).json()).toMatchObject({ amount: sum, currency: 'INR' })
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(toast(page, 'Payment Successful')).toBeVisible()
  expect(await stored(page, 'cart')).toEqual([])
  await expect(page.getByRole('article').first()).toContainText('Success')
  const orders = await signedIn.call(orderCalls.getOrders, { query: {} })
  const unpaid = orders.map(({ payment: _, ...order }) => ({ ...order, payment: {} }))
  await page.route('**/auth/orders?*', (route) => route.fulfill({ json: unpaid }))
  await page.reload()
  await expect(page.getByRole('article').first()).toContainText('Failed')
})

test(says(
  '/dashboard/user, /dashboard/user/profile, /dashboard/user/orders | User area (guarded)',
  'The user-area guard and the admin-area guard each ask the server to check the token.',
  "If the check does not pass, or there is no token, a page shows 'Redirecting to you N second', counting down from 5.",
  'It then navigates to /login (user guard, remembering the current path so that login returns there) or to the root path (admin guard).',
  'While the check runs the state is checking; if it passes, the protected page is shown.',
  'Redirect countdown: 5 s.',
  '/dashboard/admin | Admin dashboard (guarded)',
), { tag }, async ({ page, customer }) => {
  await page.clock.install()
  for (const path of [
    '/dashboard/user',
    '/dashboard/user/profile',
    '/dashboard/user/orders',
    '/dashboard/admin',
  ]) {
    await page.goto(path)
    await expect(redirecting(page, 5)).toBeVisible()
  }
  await page.clock.runFor(1000)
  await expect(redirecting(page, 4)).toBeVisible()
  await page.clock.runFor(4000)
  await expect(page).toHaveURL('/')
  await store(page, 'auth', { user: customer.user, token: 'not valid' })
  await page.goto('/dashboard/user/profile')
  await expect(redirecting(page, 5)).toBeVisible()
  await page.clock.runFor(5000)
  await expect(page).toHaveURL('/login')
  await logIn(page, customer.email)
  await expect(page).toHaveURL('/dashboard/user/profile')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/auth/user-auth', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto('/dashboard/user')
  await expect(page.getByRole('status').getByText('Checking')).toBeAttached()
  resolve()
  await expect(heading(page)).toHaveText(customer.user.name)
})

test(says(
  "Dashboard: side menu with Profile and Orders; main card shows the user's name, email and address.",
), { tag }, async ({ page, signedIn }) => {
  await page.goto('/dashboard/user')
  const side = page.getByRole('navigation', { name: 'User area' })
  await expect(side.getByRole('link', { name: 'Profile' })).toHaveAttribute(
    'href',
    '/dashboard/user/profile',
  )
  await expect(side.getByRole('link', { name: 'Orders' })).toHaveAttribute(
    'href',
    '/dashboard/user/orders',
  )
  for (const text of [signedIn.user.name, signedIn.email, signedIn.user.address])
    await expect(page.getByRole('main')).toContainText(text)
})

test(says(
  'Profile: form with name, email (read-only), password, phone, address and an UPDATE button.',
  'Profile update replaces the stored user in the session and in local storage.',
  "'Profile Updated Successfully'",
), { tag }, async ({ page, signedIn }) => {
  await page.goto('/dashboard/user/profile')
  const field = (name: string) => page.getByRole('main').locator(`[name=${name}]`)
  await expect(field('name')).toHaveValue(signedIn.user.name)
  await expect(field('email')).toHaveAttribute('readonly')
  await expect(field('password')).toHaveAttribute('type', 'password')
  await expect(field('phone')).toHaveValue('555 0100')
  await field('address').fill('2 Market Lane')
  await page.getByRole('button', { name: 'UPDATE', exact: true }).click()
  await expect(toast(page, 'Profile Updated Successfully')).toBeVisible()
  expect((await stored(page, 'auth')).user.address).toBe('2 Market Lane')
  await page.goto('/dashboard/user')
  await expect(page.getByRole('main')).toContainText('2 Market Lane')
})

test(says(
  'Your Orders: a table with index, status, buyer name, relative date, payment (Success/Failed) and quantity.',
  'Each order shows its products with photo, name, the first 30 characters of the description, and price.',
), { tag }, async ({ page, address, signedIn }) => {
  const text = 'Holds a quarter of a litre of tea.'
  const cup = await createProduct(await logInByCall(address, DEMO_ADMIN), named('Cup'), text)
  await buy(signedIn, [cup, cup])
  await page.goto('/dashboard/user/orders')
  await expect(heading(page)).toHaveText('Your Orders')
  const order = page.getByRole('article', { name: /^Order \d+$/ })
  await expect(order.getByRole('cell')).toHaveText([
    '1',
    'Not Process',
    signedIn.user.name,
    /now|ago/,
    'Success',
    '2',
  ])
  const line = order.getByRole('listitem').filter({ hasText: cup.name })
  await expect(line.locator('img')).toBeVisible()
  await expect(line).toContainText(`${text.slice(0, 30)}...`)
  await expect(line).toContainText('$12.50')
})
