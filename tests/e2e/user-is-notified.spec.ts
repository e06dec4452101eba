import type { Page } from '@playwright/test'
import { paymentCalls } from '#app/payments/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart, productsInStock, stored } from '#tests/support/cart.ts'
import { expect, keepSession, test, type Visitor } from '#tests/support/journey.ts'
import { confirm, payButton, sandbox } from '#tests/support/payment-dialog.ts'

const notice = (page: Page) => page.getByRole('region', { name: 'Your payment' })
/** The live region has texts that are only heard, too. */
const toasts = (page: Page) => page.locator('[role=status] > :not(.sr-only) p')
const payments = (page: Page) => page.getByRole('region', { name: 'Payments without an order' })

/** Releases the reservation of a started payment, and sells its product out. */
async function sellOut(admin: Visitor, customer: Visitor, cup: { _id: string }, id: string) {
  await customer.call(paymentCalls.cancelPayment, {
    body: { razorpay_order_id: id, releaseOnly: true },
  })
  const body = { quantity: 0 }
  await admin.call(productAdminCalls.updateProduct, { params: { id: cup._id }, body })
}

async function expectRefundListed(page: Page, name: string) {
  const row = payments(page).getByRole('listitem')
  await expect(row).toContainText('$12.50')
  await expect(row).toContainText('Refunded')
  await expect(row).toContainText(`${name} is sold out: 0 left. Your payment was refunded.`)
  await expect(row.locator('time')).toHaveAttribute('datetime', /^20\d\d-/)
}

test('a refund is shown as long as the page is open, and listed with the orders', async ({
  page,
  context,
  address,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  await keepSession(context, address, customer)
  await page.clock.install()
  await openCart(page, [cup])
  const starting = page.waitForResponse('**/razorpay/order')
  await payButton(page).click()
  await expect(sandbox(page)).toBeVisible()
  const { id } = await (await starting).json()
  await sellOut(admin, customer, cup, id)
  await confirm(page)
  const told = `${cup.name} is sold out: 0 left. Your payment will be refunded.`
  await expect(toasts(page)).toHaveText(told)
  await page.clock.fastForward('01:00')
  await expect(toasts(page)).toHaveCount(0)
  await expect(notice(page)).toContainText(told)
  await expect(notice(page)).toBeInViewport({ ratio: 1 })
  await notice(page).getByRole('link', { name: 'See your orders' }).click()
  await expectRefundListed(page, cup.name)
})

test('a notice warns of paying again until the payment is confirmed', async ({
  page,
  signedIn,
  call,
}) => {
  await page.clock.install()
  await openCart(page, await productsInStock(call, 1))
  await page.route('**/razorpay/verify', (route) => route.fulfill({ status: 429, body: '{}' }))
  await payButton(page).click()
  await confirm(page)
  await expect(notice(page)).toHaveText('Your payment is being confirmed. Please do not pay again.')
  await expect(notice(page)).toBeInViewport({ ratio: 1 })
  const untilItGivesUp = () =>
    expect(async () => {
      await page.clock.fastForward('00:09')
      await expect(notice(page)).toContainText('not confirmed yet', { timeout: 500 })
    }).toPass()
  await untilItGivesUp()
  await page.clock.fastForward('01:00')
  await expect(toasts(page)).toHaveCount(0)
  await expect(notice(page)).toContainText('Please do not pay again')
  await expect(page.getByText('You will be charged')).toBeHidden()
  await page.reload()
  await expect(notice(page)).toContainText('Please do not pay again')
  await untilItGivesUp()
  await page.unroute('**/razorpay/verify')
  await notice(page).getByRole('button', { name: 'Check again' }).click()
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toContainText(signedIn.user.name)
  expect(await stored(page, 'cart')).toEqual([])
})

test('the payment is verified again when the connection is back', async ({
  page,
  signedIn: _,
  call,
}) => {
  await page.clock.install()
  await openCart(page, await productsInStock(call, 1))
  await page.route('**/razorpay/verify', (route) => route.abort('internetdisconnected'))
  await payButton(page).click()
  await confirm(page)
  await expect(async () => {
    await page.clock.fastForward('00:09')
    await expect(notice(page)).toContainText('not confirmed yet', { timeout: 500 })
  }).toPass()
  await page.unroute('**/razorpay/verify')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page).toHaveURL('/dashboard/user/orders')
})

test('a second tab says nothing untrue when the first has paid', async ({
  page,
  context,
  signedIn: _,
  call,
}) => {
  const products = await productsInStock(call, 1)
  await openCart(page, products)
  const other = await context.newPage()
  await openCart(other, products)
  await payButton(other).click()
  await expect(sandbox(other)).toBeVisible()
  await payButton(page).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(sandbox(other)).toBeHidden()
  await expect(toasts(other)).toHaveText(
    'No payment is confirmed here. Your cart was paid or changed in another tab.',
  )
})

test('each ending without a payment is one sentence', async ({
  page,
  context,
  signedIn: _,
  call,
}) => {
  await openCart(page, await productsInStock(call, 1))
  await page.route('**/sandbox/checkout.js', (route) => route.abort('internetdisconnected'))
  await payButton(page).click()
  await expect(toasts(page)).toHaveText(
    'Something went wrong in payment. The payment provider cannot be reached: nothing was charged.',
  )
  await page.unroute('**/sandbox/checkout.js')
  await context.setOffline(true)
  await payButton(page).click()
  await expect(toasts(page)).toHaveText(
    'Something went wrong in payment. The shop cannot be reached: nothing was charged.',
  )
  await context.setOffline(false)
  await payButton(page).click()
  await sandbox(page).getByRole('button', { name: 'Decline' }).click()
  await expect(toasts(page)).toHaveText('The payment was declined.')
  await payButton(page).click()
  await sandbox(page).getByRole('button', { name: 'Close' }).click()
  await expect(toasts(page)).toHaveText(
    'No payment is confirmed yet. Your cart is unchanged. If your bank still completes it, the order appears in your orders.',
  )
})
