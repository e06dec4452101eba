import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import type { Database } from '#db/schema.ts'
import type { orderAdminCalls } from '../admin-contract.ts'
import type { orderCalls } from '../contract.ts'
import { openCreditNote } from './credit-notes/credit-note.ts'
import { exportOrders } from './export.ts'
import { salesFigures } from './figures/figures.ts'
import { changeStatus } from './handling/service.ts'
import { openInvoice } from './invoice.ts'
import { selectNewestOrders, selectOrderIds, selectOrders } from './list-store.ts'
import { presentListed, presentOrderHead, presentOrders } from './presenter.ts'
import { countOrdersOfUser, selectLinesOf, selectOrdersOfUser } from './store.ts'
import { selectIdsToSend } from './views.sql.ts'

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

export function orderAdminHandlers({ db }: { db: Database }): Handlers<typeof orderAdminCalls> {
  const figures = salesFigures(db)
  return {
    async getAllOrders({ query: { page, q, ...rest }, request, reply }) {
      const { ids, total } = await selectOrderIds(db, { ...rest, q: q?.trim() }, sliceOf(page))
      setPagingHeaders(request, reply, { page, total })
      const [orders, lines, toSend] = await Promise.all([
        selectOrders(db, ids),
        selectLinesOf(db, ids),
        selectIdsToSend(db, ids),
      ])
      return presentListed(orders, lines, toSend)
    },
    setOrderStatus: ({ params: { orderId }, body: { status, notify }, caller }) =>
      changeStatus(db, admin(caller), { orderId, status, notify }),
    getOrderInvoice: ({ params }) => openInvoice(db, params),
    getOrderCreditNote: ({ params }) => openCreditNote(db, params),
    async getFigures({ query }) {
      const [sales, orders] = await Promise.all([figures(query), selectNewestOrders(db, LATEST)])
      const latestOrders = orders.map(presentOrderHead)
      return { ...sales, latestOrders }
    },
    exportOrders: ({ recheckCaller, reply }) =>
      sendFile(reply, { name: 'orders', type: 'csv' }, exportOrders(db), recheckCaller),
  }
}
