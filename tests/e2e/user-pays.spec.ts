import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { fillRegistration, logIn } from '#tests/support/account-forms.ts'
import { openCart, productsInStock, store, stored } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'
import { confirm, payButton, sandbox } from '#tests/support/payment-dialog.ts'

/** Delays a request of the page until it is released. */
async function hold(page: Page, address: string) {
  const held = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

/** Counts the payments that the page starts from now on. */
function countStarts(page: Page): () => number {
  let starts = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/razorpay/order')) starts += 1
  })
  return () => starts
}

/** Pays, but gets no answer to the verification. */
async function payUnanswered(page: Page) {
  await page.route('**/razorpay/verify', (route) => route.fulfill({ status: 429, body: '{}' }))
  await payButton(page).click()
  const asked = page.waitForRequest('**/razorpay/verify')
  await confirm(page)
  await asked
}

test('a guest fills the cart, registers, pays and sees the order', {
  tag: ['@journey', '@phone'],
}, async ({ page }) => {
  const email = `${crypto.randomUUID()}@example.com`
  // the newest products on the home page are those of other journeys
  await page.goto('/category/kitchen-and-pantry')
  const shelf = page.getByRole('button', { name: 'Add to Cart', disabled: false })
  await shelf.nth(0).click()
  await shelf.nth(1).click()
  await page.getByRole('link', { name: /^Cart/ }).click()
  await expect(page.getByRole('heading', { name: 'Hello Guest' })).toBeVisible()
  await expect(page.getByText('You have 2 items in your cart')).toBeVisible()
  await expect(payButton(page)).toBeHidden()
  await page.getByText('Please Login to Checkout').click()

  await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await fillRegistration(page, email)
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expect(page).toHaveURL('/login')
  await logIn(page, email)

  await expect(page).toHaveURL('/cart')
  await expect(page.getByRole('heading', { name: 'Hello Asha Rao' })).toBeVisible()
  await expect(page.getByText('1 Market Lane, Pune')).toBeVisible()
  await expect(page.getByText(/You will be charged|₹/)).toHaveCount(0)
  await payButton(page).click()
  await confirm(page)

  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByText('Payment Successful')).toBeVisible()
  const thanks = page.getByRole('region', { name: 'Thank you for your order' })
  const order = page.getByRole('article', { name: /^Order \d+$/ })
  const number = await order.getByRole('heading').textContent()
  await expect(thanks).toContainText(
    `Your order no. ${number?.replace('Order ', '')} is paid. You'll find it below.`,
  )
  // this shop sends no e-mails
  await expect(thanks).not.toContainText(email)
  await expect(order.getByRole('row').last()).toContainText('Not Process')
  await expect(order.getByRole('row').last()).toContainText('Success')
  await expect(order.getByRole('row').last().getByRole('cell').last()).toHaveText('2')
  expect(await stored(page, 'cart')).toEqual([])
})

test('declining and closing change nothing', { tag: '@journey' }, async ({
  page,
  signedIn,
  call,
}) => {
  const [product] = await productsInStock(call, 1)
  await openCart(page, [product])
  await payButton(page).click()
  await sandbox(page).getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('The payment was declined.')).toBeVisible()
  await expect(sandbox(page)).toBeHidden()
  await payButton(page).click()
  await sandbox(page).getByRole('button', { name: 'Close' }).click()
  await expect(
    page.getByText('No payment is confirmed yet. Your cart is unchanged.').last(),
  ).toBeVisible()
  await expect(page.getByText('You have 1 item in your cart')).toBeVisible()
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toEqual([])

  await payButton(page).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
})

/** Opens the cart by client-side navigation, so that Back stays in the page. */
async function walkToCart(page: Page, products: unknown[]) {
  await store(page, 'cart', products)
  await page.goto('/')
  await page.getByRole('link', { name: /^Cart/ }).click()
}

test('a failure of a payment is shown for its whole time, in place of the one before', async ({
  page,
  signedIn: _,
  call,
}) => {
  await openCart(page, await productsInStock(call, 1))
  const messages = ['It failed once.', 'It failed again.']
  await page.route('**/razorpay/order', (route) =>
    route.fulfill({ status: 409, json: { code: 'conflict', message: messages.shift() } }),
  )
  await payButton(page).click()
  await expect(page.getByRole('status').getByText('It failed once.')).toBeVisible()
  await page.waitForTimeout(2500)
  await payButton(page).click()
  await expect(page.getByRole('status').getByText('It failed again.')).toBeVisible()
  await expect(page.getByRole('status').getByText('It failed once.')).toBeHidden()
  // later than the first one would have disappeared
  await page.waitForTimeout(2500)
  await expect(page.getByRole('status').getByText('It failed again.')).toBeVisible()
})

test('a cart that is left while the payment starts opens no dialog', async ({
  page,
  signedIn,
  call,
}) => {
  const letGo = await hold(page, '**/razorpay/order')
  await walkToCart(page, await productsInStock(call, 1))
  await expect(page.getByText(signedIn.user.address)).toBeVisible()
  await payButton(page).click()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'All Products' })).toBeVisible()
  letGo()
  await expect(page.getByText('No payment is confirmed yet. Your cart is unchanged.')).toBeVisible()
  await expect(sandbox(page)).toBeHidden()
})

test('a payment under way when the cart is left still makes its order', async ({
  page,
  signedIn,
  call,
}) => {
  const letGo = await hold(page, '**/payment/sandbox/pay')
  await walkToCart(page, await productsInStock(call, 1))
  await payButton(page).click()
  await confirm(page)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'All Products' })).toBeVisible()
  await expect(sandbox(page)).toBeHidden()
  letGo()
  await expect(page).toHaveURL('/dashboard/user/orders')
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toHaveLength(1)
  expect(await stored(page, 'cart')).toEqual([])
})

test('pays once, however often the button is pressed', { tag: '@journey' }, async ({
  page,
  signedIn,
  call,
}) => {
  const starts = countStarts(page)
  await openCart(page, await productsInStock(call, 1))
  await payButton(page).dblclick()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  expect(starts()).toBe(1)
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toHaveLength(1)
})

test('keeps the order through a hiccup of the network', { tag: '@journey' }, async ({
  page,
  signedIn,
  call,
}) => {
  let tries = 0
  await page.route('**/razorpay/verify', async (route) => {
    tries += 1
    if (tries === 1) await route.fulfill({ status: 429, body: '{}' })
    else await route.continue()
  })
  await openCart(page, await productsInStock(call, 1))
  await payButton(page).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  expect(tries).toBe(2)
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toHaveLength(1)
})

test('a cart is paid once its total is known', async ({ page, signedIn, call }) => {
  const letGo = await hold(page, '**/assets/checkout-panel-*.js')
  await openCart(page, await productsInStock(call, 1))
  await expect(page.getByText(signedIn.user.address)).toBeVisible()
  await expect(payButton(page)).toBeDisabled()
  letGo()
  await payButton(page).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
})

test('a cart is paid as it is when the part with its total cannot be loaded', async ({
  page,
  signedIn,
  call,
}) => {
  await page.route('**/assets/checkout-panel-*.js', (route) => route.abort('internetdisconnected'))
  await openCart(page, await productsInStock(call, 1))
  await payButton(page).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toHaveLength(1)
})

test('a payment that nobody has confirmed is asked for again, and not paid twice', async ({
  page,
  signedIn,
  call,
}) => {
  const starts = countStarts(page)
  await openCart(page, await productsInStock(call, 1))
  await payUnanswered(page)
  await page.reload()
  await payButton(page).click()
  await page.unroute('**/razorpay/verify')
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toBeVisible()
  expect(await stored(page, 'cart')).toEqual([])
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toHaveLength(1)
  expect(starts()).toBe(1)
})

test('the orders page asks again for a payment, too', async ({ page, signedIn, call }) => {
  await openCart(page, await productsInStock(call, 1))
  await payUnanswered(page)
  const askedAgain = page.waitForRequest(
    (request) =>
      request.url().endsWith('/razorpay/verify') &&
      request.headers().referer?.endsWith('/dashboard/user/orders') === true,
  )
  await page.goto('/dashboard/user/orders')
  await askedAgain
  await page.unroute('**/razorpay/verify')
  await expect(page.getByText('Payment Successful')).toHaveCount(1)
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toBeVisible()
  expect(await stored(page, 'cart')).toEqual([])
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toHaveLength(1)
})

test('keeps what another tab adds while paying', async ({ page, context, signedIn, call }) => {
  const [bought, added] = await productsInStock(call, 2)
  await openCart(page, [bought, bought])
  await payButton(page).click()
  await expect(sandbox(page)).toBeVisible()
  const other = await context.newPage()
  await openCart(other, [bought, added, bought])
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(other.getByText('You have 1 item in your cart')).toBeVisible()
  await expect(other.getByRole('link', { name: added?.name })).toBeVisible()
  const [order] = await signedIn.call(orderCalls.getOrders, { query: {} })
  expect(order?.products.map(({ _id }) => _id)).toEqual([bought?._id, bought?._id])
})

test('a payment that the server does not believe makes no order', async ({
  page,
  signedIn,
  call,
}) => {
  await page.route('**/payment/sandbox/pay', async (route) => {
    const answer = await route.fetch()
    const proof = { ...(await answer.json()), razorpay_signature: 'forged' }
    await route.fulfill({ json: proof })
  })
  await openCart(page, await productsInStock(call, 1))
  await payButton(page).click()
  await confirm(page)
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText(
    'Payment verification failed',
  )
  await expect(page.getByText('You have 1 item in your cart')).toBeVisible()
  expect(await signedIn.call(orderCalls.getOrders, { query: {} })).toEqual([])
})
