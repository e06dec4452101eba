import type { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { ORDERS_PAGE_SIZE } from '#app/orders/contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { salesFigures } from '../figures.ts'
import { countPaymentsInNeed } from '../figures-store.ts'
import { openInvoice } from '../invoices/invoice.ts'
import { presentFigures, presentOrderHead, presentOrders } from '../presenter.ts'
import { changeStatus } from '../service.ts'
import { selectLinesOf } from '../store.ts'
import { selectNewestIds, selectOrderIds, selectOrders } from './store.ts'

const LATEST = 5

type Dependencies = {
  db: Database
  /** The currency of charges (ISO 4217). */
  currency: string
}

export function orderAdminHandlers({
  db,
  currency,
}: Dependencies): Handlers<typeof orderAdminCalls> {
  const figures = salesFigures(db, currency)
  const latest = async () => selectOrders(db, await selectNewestIds(db, LATEST))
  return {
    async getAllOrders({ query: { page = 1, q, ...rest }, request, reply }) {
      const limit = ORDERS_PAGE_SIZE
      const offset = offsetOf(page, ORDERS_PAGE_SIZE)
      const filter = { ...rest, q: q?.trim() }
      const { ids, total } = await selectOrderIds(db, filter, { limit, offset })
      setPagingHeaders(request, reply, { page, size: limit, total })
      const [orders, lines] = await Promise.all([selectOrders(db, ids), selectLinesOf(db, ids)])
      return presentOrders(orders, lines)
    },
    setOrderStatus: ({ params: { orderId }, body: { status }, caller }) =>
      changeStatus(db, admin(caller), { orderId, status }),
    getOrderInvoice: ({ params }) => openInvoice(db, params),
    async getFigures() {
      const [sales, orders, paymentsInNeed] = await Promise.all([
        figures(),
        latest(),
        countPaymentsInNeed(db),
      ])
      return {
        currency,
        ...presentFigures(sales),
        latestOrders: orders.map(presentOrderHead),
        paymentsInNeed,
      }
    },
  }
}
