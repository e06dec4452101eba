/** The calls of the back office that change orders, and the audit entries that each writes. */
import { addOrder } from '../orders.ts'
import type { AuditedCalls } from './audited-call.ts'

export const orderCalls: AuditedCalls = ({ shop, admin, buyer }) => {
  const asAdmin = (body?: unknown) => ({ token: admin().token, body })
  const order = async () => (await addOrder(shop.db, buyer())).id
  const addNote = (id: string) => shop.post(`/order/notes/${id}`, asAdmin({ text: 'Gift' }))
  return {
    changeOrders: {
      tables: ['orders'],
      ready: order,
      act: (orderId) =>
        shop.put('/order/orders', asAdmin({ changes: [{ orderId, trackingNumber: '123' }] })),
    },
    addOrderNote: { tables: ['order_notes'], ready: order, act: addNote },
    deleteOrderNote: {
      tables: ['order_notes'],
      ready: async () => {
        const id = await order()
        await addNote(id)
        const notes = shop.db.selectFrom('order_notes').where('order_id', '=', id)
        return (await notes.select('id').executeTakeFirstOrThrow()).id
      },
      act: (id) => shop.delete(`/order/note/${id}`, asAdmin()),
    },
  }
}
