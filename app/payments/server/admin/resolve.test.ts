import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { HOOK_SECRET, paymentOf, provider, report } from '#tests/support/webhook.ts'
import { reconcile } from '../reconciliation/reconciliation.ts'

const shop = testShop({ RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET })
const { start, verify } = purchases(shop)
const { tell } = provider(shop)

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
  category = await addCategory(shop.db, 'Kitchen')
})

const resolve = (id: string, note: unknown) =>
  shop.put<{ message: string }>(`/payment/resolve/${id}`, { token: admin.token, body: { note } })

const listed = async (id: string, query = '?state=needs_attention') => {
  const path = `/payment/payments${query}`
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.find(({ _id }) => _id === id)
}

/** An order whose money was reported with another amount. */
async function mismatched() {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const proof = signedPayment(body.id)
  await verify(buyer, proof)
  const id = proof.razorpay_payment_id
  await tell(report('payment.captured', paymentOf(body.id, id, { amount: 99 })))
  const money = { id, amountMinor: 99, currency: 'INR', refundedMinor: 0 }
  const paymentsOf = async () => [{ ...money, status: 'captured' as const }]
  await reconcile(shop.db, paymentContext(shop, { paymentsOf }))
  return id
}

const setIssue = (id: string, issue: 'expired' | 'capture_pending') =>
  shop.db.updateTable('payments').set({ issue }).where('provider_payment_id', '=', id).execute()

describe('PUT /payment/resolve/:id', () => {
  it('moves the payment to the resolved ones, with a note that can be changed', async () => {
    const id = await mismatched()
    expect(await listed(id)).toMatchObject({ state: 'amount_mismatch', resolvedAt: null })
    const { status, body } = await resolve(id, ' Refunded at the bank. ')
    expect([status, body.message]).toEqual([200, 'The payment is resolved'])
    expect(await listed(id)).toBeUndefined()
    expect(await listed(id, '?state=resolved')).toMatchObject({
      state: 'resolved',
      resolutionNote: 'Refunded at the bank.',
      resolvedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect((await resolve(id, 'Called')).status).toBe(200)
    expect(await listed(id, '?state=resolved')).toMatchObject({ resolutionNote: 'Called' })
  })

  it('refuses a payment without an issue, and an unknown one', async () => {
    const id = await mismatched()
    await setIssue(id, 'capture_pending')
    expect((await resolve(id, 'Hm')).status).toBe(409)
    const buyer = await addPerson(shop.db)
    await start(buyer, { amount: 999 })
    const started = await shop.get<ListedPayment[]>('/payment/payments?state=started', {
      token: admin.token,
    })
    expect((await resolve(started.body[0]?._id ?? '', 'Hm')).status).toBe(409)
    expect((await resolve('pay_nobody', 'Hm')).status).toBe(404)
  })

  it.each(['', '  ', 'x'.repeat(501), 7])('refuses the note %j', async (note) => {
    const id = await mismatched()
    expect((await resolve(id, note)).status).toBe(400)
    expect(await listed(id)).toMatchObject({ state: 'amount_mismatch' })
  })
})
