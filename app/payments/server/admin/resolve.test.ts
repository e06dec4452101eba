import type { Updateable } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Schema } from '#db/schema.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { paymentOf, provider, report } from '#tests/support/webhook.ts'
import { reconcile } from '../reconciliation/reconciliation.ts'

const { shop, start, verify, started, listed, resolve } = paymentShop()
const { tell } = provider(shop)

/** An order whose money was reported with another amount. */
async function mismatched() {
  const { buyer, id: orderId } = await started()
  const proof = signedPayment(orderId)
  await verify(buyer, proof)
  const id = proof.razorpay_payment_id
  await tell(report('payment.captured', paymentOf(orderId, id, { amount: 99 })))
  const money = { id, amountMinor: 99, currency: 'INR', refundedMinor: 0, paysOrder: false }
  const lookUp = async () => ({
    amountMinor: 1250,
    currency: 'INR',
    payments: [{ ...money, status: 'captured' as const }],
  })
  await reconcile(shop.db, paymentContext(shop, { lookUp }))
  return id
}

const setCapture = (id: string, facts: Updateable<Schema['captures']>) =>
  shop.db
    .updateTable('captures')
    .set({ issue: null, ...facts })
    .where('provider_payment_id', '=', id)
    .execute()

describe('PUT /payment/resolve/:id', () => {
  it('moves the payment to the resolved ones, with a note that can be changed', async () => {
    const id = await mismatched()
    expect(await listed(id)).toMatchObject([{ state: 'amount_mismatch', resolvedAt: null }])
    const { status, body } = await resolve(id, ' Refunded at the bank. ')
    expect([status, body.message]).toEqual([200, 'The payment is resolved'])
    expect(await listed(id)).toEqual([])
    expect(await listed(id, '?state=resolved')).toMatchObject([
      {
        state: 'resolved',
        resolutionNote: 'Refunded at the bank.',
        resolvedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    expect((await resolve(id, 'Called')).status).toBe(200)
    expect(await listed(id, '?state=resolved')).toMatchObject([{ resolutionNote: 'Called' }])
  })

  it('refuses a payment without an issue, and an unknown one', async () => {
    const id = await mismatched()
    await setCapture(id, { confirmed_at: null })
    expect((await resolve(id, 'Hm')).status).toBe(409)
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 999 })
    const [open] = await listed(body.id, '?state=started')
    expect((await resolve(open?._id ?? '', 'Hm')).status).toBe(409)
    expect((await resolve('pay_nobody', 'Hm')).status).toBe(404)
  })
})
