import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { ORDERS_PAGE_SIZE, type orderCalls } from '../contract.ts'
import type { invoiceCalls } from '../invoice-contract.ts'
import { openInvoice } from './invoices/invoice.ts'
import { presentOrders } from './presenter.ts'
import { countOrdersOfUser, selectLinesOf, selectOrdersOfUser } from './store.ts'

export const orderHandlers = ({ db }: { db: Database }): Handlers<typeof orderCalls> => ({
  getOrders: async ({ query: { page = 1 }, caller, request, reply }) => {
    const size = ORDERS_PAGE_SIZE
    const [orders, total] = await Promise.all([
      selectOrdersOfUser(db, caller.userId, { limit: size, offset: offsetOf(page, size) }),
      countOrdersOfUser(db, caller.userId),
    ])
    const ids = orders.map(({ id }) => id)
    setPagingHeaders(request, reply, { page, size, total })
    return presentOrders(orders, await selectLinesOf(db, ids))
  },
})

export const invoiceHandlers = ({ db }: { db: Database }): Handlers<typeof invoiceCalls> => ({
  getInvoice: ({ params: { orderId }, caller }) =>
    openInvoice(db, { orderId, buyerId: caller.userId }),
})
