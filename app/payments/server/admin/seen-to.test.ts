import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { HOOK_SECRET, paymentOf, provider, refundReport, report } from '#tests/support/webhook.ts'
import { countPaymentsByState } from '../metrics-store.ts'

const shop = testShop({ RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET })
const { start, verify } = purchases(shop)
const { tell } = provider(shop)

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
  category = await addCategory(shop.db, 'Kitchen')
})

const seeTo = (id: string, note: unknown) =>
  shop.put<{ message: string }>(`/payment/seen-to/${id}`, { token: admin.token, body: { note } })

const listed = async (id: string, query = '') => {
  const path = `/payment/payments${query}`
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.find(({ _id }) => _id === id)
}

const inNeed = async () =>
  (await shop.get<Figures>('/order/figures', { token: admin.token })).body.paymentsInNeed

const alerts = async () => {
  const { unknown = 0, other_amount = 0 } = await countPaymentsByState(shop.db)
  return unknown + other_amount
}

/** Reported for an order that is not here. */
async function unknown() {
  const payment = paymentOf(`order_${randomUUID()}`)
  await tell(report('payment.captured', payment))
  return payment
}

/** An order whose money is doubted. */
async function doubted(doubt: 'lapsed' | 'other_amount' | 'uncaptured') {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const { razorpay_payment_id: id, ...rest } = signedPayment(body.id)
  await verify(buyer, { razorpay_payment_id: id, ...rest })
  await setDoubt(id, doubt)
  return { id }
}

const setDoubt = (id: string, doubt: 'lapsed' | 'other_amount' | 'uncaptured') =>
  shop.db.updateTable('provider_payments').set({ doubt }).where('id', '=', id).execute()

describe('PUT /payment/seen-to/:id', () => {
  it.each([
    ['unknown', unknown],
    ['other_amount', () => doubted('other_amount')],
    ['lapsed', () => doubted('lapsed')],
  ])(
    'takes what is %s out of what needs somebody, and keeps it to be found',
    async (state, make) => {
      const { id } = await make()
      expect(await listed(id)).toMatchObject({ state, seenToAt: null, seenNote: null })
      const [needed, alarming] = [await inNeed(), await alerts()]
      const { status, body } = await seeTo(id, ' Gave it back at the bank. ')
      expect([status, body.message]).toEqual([200, 'The payment is seen to'])
      expect(await listed(id)).toBeUndefined()
      expect(await listed(id, '?state=seen_to')).toMatchObject({
        ...{ state: 'seen_to', seenNote: 'Gave it back at the bank.' },
        seenToAt: expect.stringMatching(/^\d{4}-.*Z$/),
      })
      expect([await inNeed(), await alerts()]).toEqual([
        needed - 1,
        alarming - (state === 'lapsed' ? 0 : 1),
      ])
    },
  )

  it.each([
    ['unknown', 'unknown_money', unknown],
    ['doubtful', 'provider_payments', () => doubted('other_amount')],
  ])('is in the history of what is %s, once, with who and when', async (_state, kind, make) => {
    const { id } = await make()
    const entries = await entriesOf(shop.db, async () => {
      for (const note of ['Called', 'Called', 'Called twice']) await seeTo(id, note)
    })
    expect(entries.map(({ after }) => after?.seen_note)).toEqual(['Called', 'Called twice'])
    const { historyId = '' } = (await listed(id, '?state=seen_to')) ?? {}
    const path = `/audit-log?object=${historyId}`
    const { body } = await shop.get<AuditEntry[]>(path, { token: admin.token })
    expect(body[0]).toMatchObject({
      actor: { kind: 'admin', _id: admin.id, name: 'Ada' },
      object: { kind, _id: historyId },
      changes: expect.arrayContaining([
        { field: 'seen_note', before: 'Called', after: 'Called twice' },
      ]),
    })
  })

  it('is forgotten when something else speaks against the money', async () => {
    const { id } = await doubted('lapsed')
    await seeTo(id, 'Asked the buyer')
    await setDoubt(id, 'other_amount')
    expect(await listed(id)).toMatchObject({ state: 'other_amount', seenNote: null })
  })

  it('does not hide what becomes of it: unknown money that goes back is settled', async () => {
    const payment = await unknown()
    await seeTo(payment.id, 'Will give it back')
    await tell(refundReport('refund.processed', payment))
    expect(await listed(payment.id, '?state=handled')).toMatchObject({
      seenNote: 'Will give it back',
    })
    expect((await seeTo(payment.id, 'Again')).status).toBe(409)
  })

  it('refuses what needs nobody, and what is not here', async () => {
    const { id } = await doubted('uncaptured')
    expect((await seeTo(id, 'Hm')).status).toBe(409)
    const buyer = await addPerson(shop.db)
    await start(buyer, { amount: 999 })
    const begun = await shop.get<ListedPayment[]>('/payment/payments?state=started', {
      token: admin.token,
    })
    expect((await seeTo(begun.body[0]?._id ?? '', 'Hm')).status).toBe(409)
    expect((await seeTo('pay_nobody', 'Hm')).status).toBe(404)
  })

  it.each(['', '  ', 'x'.repeat(501), 7])('refuses the note %j', async (note) => {
    const { id } = await unknown()
    expect((await seeTo(id, note)).status).toBe(400)
    expect(await listed(id)).toMatchObject({ state: 'unknown' })
  })
})
