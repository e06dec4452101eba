/** The calls of the back office that change the money of orders, and the audit entries that each writes. */
import { randomUUID } from 'node:crypto'
import { addProduct } from '../catalogue.ts'
import { addOrder } from '../orders.ts'
import type { AuditedCalls } from './audited-call.ts'

export const paymentCalls: AuditedCalls = ({ shop, admin, buyer, category }) => {
  const asAdmin = (body: unknown) => ({ token: admin().token, body })
  const cart = async () =>
    JSON.stringify([{ _id: (await addProduct(shop.db, { category: category() })).id }])
  return {
    cancelOrder: {
      tables: ['orders', 'refund_lines', 'refunds', 'returned_lines'],
      // the provider has refunded it
      afterwards: 'shop null',
      ready: async () => (await addOrder(shop.db, buyer())).id,
      act: (id) =>
        shop.post(`/payment/cancel-order/${id}`, asAdmin({ returnStock: true, refund: true })),
    },
    quoteOrder: {
      tables: [],
      ready: cart,
      act: (text) => shop.post('/payment/quote-order', asAdmin({ cart: JSON.parse(text) })),
    },
    createOrder: {
      tables: ['captures', 'orders'],
      ready: cart,
      act: async (text) => {
        const order = { buyerId: buyer().id, cart: JSON.parse(text), isHandedOver: true }
        const { body } = await shop.post<{ totalMinor: number }>(
          '/payment/quote-order',
          asAdmin(order),
        )
        const paid = { ...order, amount: body.totalMinor, receivedAs: 'cash', key: randomUUID() }
        return shop.post('/payment/create-order', asAdmin(paid))
      },
    },
  }
}
