import type { Page } from '@playwright/test'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { paymentCalls, sandboxCalls } from '#app/payments/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { breakCall, createProduct, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { SANDBOX_SECRET } from '#tests/support/running-shop.ts'
import { HOOK_PATH, paymentOf, report, signatureOf } from '#tests/support/webhook.ts'

const LIST = '/dashboard/admin/payments'

/** Pays without saying what for. */
async function payForNothing({ call }: Visitor) {
  const { id } = await call(paymentCalls.startPayment, { body: { amount: 98_765 } })
  const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
  await call(paymentCalls.verifyPayment, { body: { ...proof, cart: [] } }).catch(() => {})
  return proof.razorpay_payment_id
}

/** Pays for what is gone meanwhile. */
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
  page.getByRole('article').filter({ hasText: email })

test('the admin sees money that is no order, and what is being done about it', {
  tag: '@phone',
}, async ({ page, admin, customer }) => {
  const paymentId = await payForNothing(customer)
  await payTooLate(customer, admin)
  await page.goto('/dashboard/admin')
  await page.getByRole('alert').getByRole('link', { name: 'See what is being done' }).click()
  await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible()
  const unclaimed = listedOf(page, customer)
  await expect(unclaimed).toContainText('₹987.65')
  await expect(unclaimed).toContainText('Unclaimed money')
  await expect(unclaimed).toContainText(paymentId)
  await expect(unclaimed).toContainText(/It goes back at .+, unless its buyer claims it\./)

  await page.getByLabel('State').selectOption('Refunded')
  await expect(page).toHaveURL(`${LIST}?state=refunded`)
  await expect(listedOf(page, customer)).toContainText('The money went back.')
  await expect(listedOf(page, customer)).toContainText('is sold out: 0 left.')
  await page.goBack()
  await expect(unclaimed).toContainText('Unclaimed money')
  await expect(page.getByLabel('State')).toHaveValue('')
})

/** The provider reports money for an order that this shop knows nothing of. */
async function tellOfUnknown(address: string) {
  const payment = paymentOf(`order_${crypto.randomUUID()}`)
  const body = JSON.stringify(report('payment.captured', payment))
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signatureOf(body, SANDBOX_SECRET),
    'x-razorpay-event-id': crypto.randomUUID(),
  }
  await fetch(`${address}${API_PREFIX}${HOOK_PATH}`, { method: 'POST', headers, body })
  return payment.id
}

test('the admin says what was done about money that only a person can see to', {
  tag: '@phone',
}, async ({ page, admin, address }) => {
  const id = await tellOfUnknown(address)
  const payment = page.getByRole('article').filter({ hasText: id })
  await page.goto(LIST)
  await expect(payment).toContainText('Unknown here')
  await payment.getByRole('button', { name: 'Seen to' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('Given back by bank transfer.')
  await dialog.getByRole('button', { name: 'Seen to' }).click()
  await expect(page.getByText('The payment is seen to')).toBeVisible()
  await expect(payment).toHaveCount(0)

  await page.getByLabel('State').selectOption('Seen to')
  await expect(payment).toContainText(/Seen to at .+: Given back by bank transfer\./)
  await payment.getByRole('link', { name: 'History' }).click()
  const newest = page.getByRole('list', { name: 'Changes' }).getByRole('article').first()
  await expect(newest).toContainText(`changed by ${admin.user.name} (admin)`)
  await expect(newest).toContainText('Given back by bank transfer.')
})

test('the admin sees what was started and not paid yet', async ({ page, admin, customer }) => {
  const { _id } = await createProduct(admin, named('Cup'))
  await customer.call(paymentCalls.startPayment, { body: { amount: 1250, cart: [{ _id }] } })
  await page.goto(`${LIST}?state=started`)
  await expect(listedOf(page, customer)).toContainText(
    /Nothing came in yet\. The provider is asked at .+\. Its pieces are held until .+\./,
  )
  await page.getByLabel('State').selectOption('Refund due')
  await expect(page.getByText('There are no such payments.')).toBeVisible()
})

test('a list that cannot be loaded can be tried again', async ({ page, admin: _admin }) => {
  await breakCall(page, paymentAdminCalls.getPayments)
  await page.goto(LIST)
  await expect(page.getByText('This could not be loaded.')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('list').last()).toBeVisible()
})
