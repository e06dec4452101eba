import type { BrowserContext } from '@playwright/test'
import { sandboxCalls } from '#app/payments/server/providers/sandbox.ts'
import { productCalls } from '#app/products/contract.ts'
import type { Call } from '#app/shared/web/call.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart, store } from '#tests/support/cart.ts'
import { expect, keepSession, test, type Visitor } from '#tests/support/journey.ts'
import { reportCaptured } from '#tests/support/pay-cancelled.ts'
import { payButton, sandbox } from '#tests/support/payment-dialog.ts'

const LEFT = 'No payment is confirmed yet. Your cart is unchanged.'

/** A product of this journey only, and its buyer. */
async function enter({
  context,
  address,
  admin,
  customer,
}: Record<'admin' | 'customer', Visitor> & {
  context: BrowserContext
  address: string
}) {
  const cup = await createProduct(admin, named('Cup'))
  await keepSession(context, address, customer)
  return cup
}

/** The free quantity; a public answer may lag a little. */
const left = (call: Call, { slug }: { slug: string }) =>
  expect.poll(
    async () => (await call(productCalls.getProduct, { params: { slug } })).product.quantity,
  )

test('stock is reserved during payment, and released when the dialog is closed', {
  tag: '@journey',
}, async ({ page, call, context, address, admin, customer }) => {
  const cup = await enter({ context, address, admin, customer })
  await openCart(page, [cup, cup])
  await payButton(page).click()
  await expect(sandbox(page)).toBeVisible()
  await left(call, cup).toBe(8)
  await sandbox(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText(LEFT)).toBeVisible()
  await left(call, cup).toBe(10)

  await payButton(page).click()
  await sandbox(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page).toHaveURL('/dashboard/user/orders')
  await left(call, cup).toBe(8)
})

test('the reservation is released at once when the payment is declined', async ({
  page,
  call,
  context,
  address,
  admin,
  customer,
}) => {
  const cup = await enter({ context, address, admin, customer })
  await openCart(page, [cup])
  await payButton(page).click()
  await expect(sandbox(page)).toBeVisible()
  await left(call, cup).toBe(9)
  await sandbox(page).getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('The payment was declined.')).toBeVisible()
  await expect(sandbox(page)).toBeHidden()
  await left(call, cup).toBe(10)

  await payButton(page).click()
  await sandbox(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page).toHaveURL('/dashboard/user/orders')
  await left(call, cup).toBe(9)
})

test('a declined attempt that the bank completes later is among the orders', {
  tag: '@journey',
}, async ({ page, context, address, admin, customer }) => {
  const cup = await enter({ context, address, admin, customer })
  await openCart(page, [cup])
  const starting = page.waitForResponse('**/razorpay/order')
  await payButton(page).click()
  const releasing = page.waitForResponse('**/razorpay/cancel')
  await sandbox(page).getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('The payment was declined.')).toBeVisible()
  await releasing
  const { id, amount, currency } = await (await starting).json()
  // the bank, which does not report to the page
  const { razorpay_payment_id: paymentId } = await customer.call(sandboxCalls.payInSandbox, {
    body: { razorpay_order_id: id },
  })
  await reportCaptured(address, { id, paymentId, amount, currency })
  await page.goto('/dashboard/user/orders')
  await expect(page.getByRole('article')).toContainText(cup.name)
})

test('leaving the cart frees what was held', async ({
  page,
  call,
  context,
  address,
  admin,
  customer,
}) => {
  const cup = await enter({ context, address, admin, customer })
  await store(page, 'cart', [cup])
  await page.goto('/')
  await page.getByRole('link', { name: /^Cart/ }).click()
  await payButton(page).click()
  await expect(sandbox(page)).toBeVisible()
  await left(call, cup).toBe(9)
  await page.goBack()
  await expect(sandbox(page)).toBeHidden()
  await expect(page.getByText(LEFT)).toBeVisible()
  await left(call, cup).toBe(10)
})

test('closing the window frees it, too', async ({
  page,
  call,
  context,
  address,
  admin,
  customer,
}) => {
  const cup = await enter({ context, address, admin, customer })
  await openCart(page, [cup])
  await payButton(page).click()
  await expect(sandbox(page)).toBeVisible()
  await left(call, cup).toBe(9)
  await page.close({ runBeforeUnload: true })
  await left(call, cup).toBe(10)
})
