import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, type Slice, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { ORDERS_PAGE_SIZE, type orderAdminCalls } from '../contract.ts'
import { type Filter, selectOrderIds, selectOrders } from './admin-store.ts'
import { selectBestSellers, selectDays, selectRunningLow } from './figures-store.ts'
import { presentFigures, presentOrders } from './presenter.ts'
import { changeStatus } from './service.ts'
import { selectLinesOf } from './store.ts'

const LATEST = 5

export function orderAdminHandlers({ db }: { db: Database }): Handlers<typeof orderAdminCalls> {
  const pageOf = async (filter: Filter, slice: Slice) => {
    const { ids, total } = await selectOrderIds(db, filter, slice)
    const [orders, lines] = await Promise.all([selectOrders(db, ids), selectLinesOf(db, ids)])
    return { orders: presentOrders(orders, lines), total }
  }
  return {
    async getAllOrders({ query: { page = 1, q, ...rest }, request, reply }) {
      const size = ORDERS_PAGE_SIZE
      const filter = { ...rest, q: q?.trim() }
      const { orders, total } = await pageOf(filter, { limit: size, offset: offsetOf(page, size) })
      setPagingHeaders(request, reply, { page, size, total })
      return orders
    },
    setOrderStatus: ({ params, body }) => changeStatus(db, params.orderId, body.status),
    async getFigures() {
      const [days, bestSellers, runningLow, latest] = await Promise.all([
        selectDays(db),
        selectBestSellers(db),
        selectRunningLow(db),
        pageOf({}, { limit: LATEST, offset: 0 }),
      ])
      return {
        ...presentFigures({ days, bestSellers, runningLow }),
        latestOrders: latest.orders,
      }
    },
  }
}
