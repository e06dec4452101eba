import type { Page } from '@playwright/test'
import { paymentCalls } from '#app/payments/contract.ts'
import { sandboxCalls } from '#app/payments/server/providers/sandbox.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { payCancelled } from '#tests/support/pay-cancelled.ts'

const LIST = '/dashboard/admin/payments'

/** Pays without a cart. */
async function payForNothing({ call }: Visitor) {
  const { id } = await call(paymentCalls.startPayment, { body: { amount: 98_765 } })
  const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
  await call(paymentCalls.verifyPayment, { body: { ...proof, cart: [] } }).catch(() => {})
  return proof.razorpay_payment_id
}

/** Pays for a product that is sold out meanwhile. */
async function payTooLate({ call }: Visitor, admin: Visitor) {
  const { _id, price } = await createProduct(admin, named('Cup'))
  const body = { amount: price * 100, cart: [{ _id }] }
  const { id } = await call(paymentCalls.startPayment, { body })
  await call(paymentCalls.cancelPayment, { body: { razorpay_order_id: id, releaseOnly: true } })
  await admin.call(productAdminCalls.updateProduct, { params: { id: _id }, body: { quantity: 0 } })
  const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
  await call(paymentCalls.verifyPayment, { body: proof }).catch(() => {})
}

const listedOf = (page: Page, { email }: Visitor) =>
  page.getByRole('row').filter({ hasText: email })

test('the admin sees payments without an order, and what happens next', {
  tag: '@journey',
}, async ({ page, admin, customer }) => {
  const paymentId = await payForNothing(customer)
  await payTooLate(customer, admin)
  await page.goto(`${LIST}?state=needs_attention`)
  await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible()
  const unmatched = listedOf(page, customer)
  await expect(unmatched).toContainText('$987.65')
  await expect(unmatched).toContainText('Unmatched')
  await expect(unmatched).toContainText(paymentId)
  await expect(unmatched).toContainText(
    /It matches no order\. It is refunded at .+, unless the customer claims it\./,
  )

  await page.getByRole('combobox', { name: 'State' }).selectOption('Refunded')
  await expect(page).toHaveURL(`${LIST}?state=refunded`)
  await expect(listedOf(page, customer)).toContainText('The payment was refunded.')
  await expect(listedOf(page, customer)).toContainText('is sold out: 0 left.')
  await page.goBack()
  await expect(unmatched).toContainText('Unmatched')
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('needs_attention')
})

test('the admin resolves an issue of a payment with a note', async ({
  page,
  admin,
  customer,
  address,
}) => {
  await payCancelled(customer, admin, address)
  const payment = listedOf(page, customer)
  await page.goto(`${LIST}?state=needs_attention`)
  await expect(payment).toContainText('Order cancelled, money left')
  await payment.getByRole('button', { name: 'Resolve' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('Refunded by bank transfer.')
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await expect(page.getByText('The payment is resolved')).toBeVisible()
  await expect(payment).toHaveCount(0)

  await page.getByRole('combobox', { name: 'State' }).selectOption('Resolved')
  await expect(payment).toContainText(/Resolved at .+: Refunded by bank transfer\./)
  await payment.getByRole('link', { name: 'History' }).click()
  const newest = page.getByRole('row').nth(1)
  await expect(newest).toContainText(admin.user.name)
  await expect(newest).toContainText('Refunded by bank transfer.')
})

test('the admin sees what was started and not paid yet', async ({ page, admin, customer }) => {
  const { _id } = await createProduct(admin, named('Cup'))
  await customer.call(paymentCalls.startPayment, { body: { amount: 1250, cart: [{ _id }] } })
  await page.goto(`${LIST}?state=started`)
  await expect(listedOf(page, customer)).toContainText(
    /Not paid yet\. We check again at .+\. Its items are reserved until .+\./,
  )
  await page.getByRole('combobox', { name: 'State' }).selectOption('Refund pending')
  await expect(page.getByText('There are no such payments.')).toBeVisible()
})
