import { beforeAll, describe, expect, it } from 'vitest'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, moneyOf, purchases } from '#tests/support/payments.ts'
import { addPerson } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { HOOK_SECRET, paymentOf, provider, refundReport, report } from '#tests/support/webhook.ts'

const shop = testShop({ RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET })
const { start, letHoldsExpire, ordersOf, stockOf } = purchases(shop)
const { tell } = provider(shop)

let category: { id: string }

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})

async function started({ quantity = 10 } = {}) {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category, quantity })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  return { buyer, product, id: body.id }
}

const setStock = ({ id }: { id: string }, quantity: number) =>
  shop.db.updateTable('products').where('id', '=', id).set({ quantity }).execute()

describe('a report of a refund', () => {
  const bought = async () => {
    const { buyer, product, id } = await started({ quantity: 1 })
    await letHoldsExpire()
    await setStock(product, 0)
    return { buyer, id, payment: paymentOf(id) }
  }

  it('that comes before the payment’s own keeps that from buying anything', async () => {
    const { buyer, product, id } = await started()
    const payment = paymentOf(id)
    await tell(refundReport('refund.processed', payment))
    await tell(report('payment.captured', payment))
    expect(await ordersOf(buyer)).toEqual([])
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'refunded' }])
    expect(await stockOf(product)).toBe(9)
  })

  it('of an order’s money, or that failed after it was done, changes nothing', async () => {
    const [kept, due] = [await started(), await bought()]
    const payment = paymentOf(kept.id)
    await tell(report('payment.captured', payment))
    await tell(refundReport('refund.processed', payment))
    await tell(report('payment.captured', due.payment))
    await tell(refundReport('refund.failed', due.payment))
    expect(await moneyOf(shop, kept.id)).toMatchObject([{ state: 'kept' }])
    expect(await moneyOf(shop, due.id)).toMatchObject([{ state: 'refunded' }])
    expect(await ordersOf(kept.buyer)).toHaveLength(1)
  })
})
