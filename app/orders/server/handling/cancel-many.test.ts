/** Many orders that are cancelled while others are placed or cancelled. Only a PostgreSQL server has deadlocks. */
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { cartOf } from '#tests/support/payments.ts'
import { unpaidShop } from '#tests/support/unpaid-orders.ts'

const { shop, order, cup, asAdmin, stockOf } = unpaidShop()
afterEach(async () => expect(await contradictionsIn(shop.db)).toEqual({}))

const ROUNDS = 8
const STOCK = 1000

const cancel = (ids: string[]) =>
  shop.put<object>('/order/orders', {
    ...asAdmin(),
    body: { changes: ids.map((orderId) => ({ orderId, status: 'cancel' })), notify: false },
  })

/** An unpaid order of one product, placed by the admin. */
async function placed(product: { id: string }): Promise<string> {
  const buyer = await addPerson(shop.db)
  const { body } = await shop.post<{ order: { _id: string } }>('/payment/create-order', {
    ...asAdmin(),
    body: {
      amount: 1250,
      key: randomUUID(),
      buyerId: buyer.id,
      cart: cartOf(product),
      paymentMethod: 'bank_transfer',
      mails: false,
    },
  })
  return body.order._id
}

describe('the cancellation of many unpaid orders', () => {
  it('meets purchases and other cancellations without a deadlock', async () => {
    const cups = [await cup({ quantity: STOCK }), await cup({ quantity: STOCK })]
    const [a, z] = cups.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    if (!a || !z) throw new Error('There are two cups.')
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids: string[] = []
      for (const product of [z, a, z, a, z, a]) ids.push(await placed(product))
      const buyers = await Promise.all(Array.from({ length: 4 }, () => addPerson(shop.db)))
      const facts = { cart: cartOf(a, z), amount: 2500 }
      const answers = await Promise.all([
        cancel(ids),
        cancel(ids.toReversed()),
        ...buyers.map((buyer) => order<object>(buyer, a, facts)),
      ])
      expect(answers.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(
        answers.map(() => 200),
      )
    }
    expect([await stockOf(a), await stockOf(z)]).toEqual([STOCK - 4 * ROUNDS, STOCK - 4 * ROUNDS])
  })
})
