import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import type { Database } from '#db/schema.ts'
import type { orderAdminCalls } from '../admin-contract.ts'
import type { orderCalls } from '../contract.ts'
import { openCreditNote } from './credit-notes/credit-note.ts'
import { exportOrders } from './export.ts'
import { salesFigures } from './figures.ts'
import { countPaymentsInNeed } from './figures-store.ts'
import { openInvoice } from './invoice.ts'
import { selectNewestOrders, selectOrderIds, selectOrders } from './list-store.ts'
import { presentOrderHead, presentOrders } from './presenter.ts'
import { changeStatus } from './service.ts'
import { countOrdersOfUser, selectLinesOf, selectOrdersOfUser } from './store.ts'

export const orderHandlers = ({ db }: { db: Database }): Handlers<typeof orderCalls> => ({
  getOrders: async ({ query: { page }, caller, request, reply }) => {
    const [orders, total] = await Promise.all([
      selectOrdersOfUser(db, caller.userId, sliceOf(page)),
      countOrdersOfUser(db, caller.userId),
    ])
    const ids = orders.map(({ id }) => id)
    setPagingHeaders(request, reply, { page, total })
    return presentOrders(orders, await selectLinesOf(db, ids))
  },
  getInvoice: ({ params: { orderId }, caller }) =>
    openInvoice(db, { orderId, buyerId: caller.userId }),
  getCreditNote: ({ params: { number }, caller }) =>
    openCreditNote(db, { number, buyerId: caller.userId }),
})

const LATEST = 5

/** `currency` is that of charges (ISO 4217). */
export function orderAdminHandlers({
  db,
  currency,
}: {
  db: Database
  currency: string
}): Handlers<typeof orderAdminCalls> {
  const figures = salesFigures(db, currency)
  return {
    async getAllOrders({ query: { page, q, ...rest }, request, reply }) {
      const { ids, total } = await selectOrderIds(db, { ...rest, q: q?.trim() }, sliceOf(page))
      setPagingHeaders(request, reply, { page, total })
      const [orders, lines] = await Promise.all([selectOrders(db, ids), selectLinesOf(db, ids)])
      return presentOrders(orders, lines)
    },
    setOrderStatus: ({ params: { orderId }, body: { status }, caller }) =>
      changeStatus(db, admin(caller), { orderId, status }),
    getOrderInvoice: ({ params }) => openInvoice(db, params),
    getOrderCreditNote: ({ params }) => openCreditNote(db, params),
    async getFigures() {
      const [sales, orders, paymentsInNeed] = await Promise.all([
        figures(),
        selectNewestOrders(db, LATEST),
        countPaymentsInNeed(db),
      ])
      return {
        currency,
        ...sales,
        latestOrders: orders.map(presentOrderHead),
        paymentsInNeed,
      }
    },
    exportOrders: ({ recheckCaller, reply }) =>
      sendFile(reply, { name: 'orders', type: 'csv' }, exportOrders(db), recheckCaller),
  }
}
