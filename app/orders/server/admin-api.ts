import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { ORDERS_PAGE_SIZE, type orderAdminCalls } from '../contract.ts'
import { countOrders, selectOrders } from './admin-store.ts'
import {
  countPaymentsInNeed,
  selectBestSellers,
  selectDays,
  selectRunningLow,
} from './figures-store.ts'
import { presentFigures, presentOrders } from './presenter.ts'
import { changeStatus } from './service.ts'
import { type OrderRow, selectLinesOf } from './store.ts'

const LATEST = 5

export function orderAdminHandlers({ db }: { db: Database }): Handlers<typeof orderAdminCalls> {
  const shown = async (orders: OrderRow[]) => {
    const ids = orders.map(({ id }) => id)
    return presentOrders(orders, await selectLinesOf(db, ids))
  }
  return {
    async getAllOrders({ query: { page = 1, q, ...rest }, request, reply }) {
      const size = ORDERS_PAGE_SIZE
      const filter = { ...rest, q: q?.trim() }
      const [orders, total] = await Promise.all([
        selectOrders(db, filter, { limit: size, offset: offsetOf(page, size) }),
        countOrders(db, filter),
      ])
      setPagingHeaders(request, reply, { page, size, total })
      return shown(orders)
    },
    setOrderStatus: ({ params: { orderId }, body: { status }, caller }) =>
      changeStatus(db, admin(caller), { orderId, status }),
    async getFigures() {
      const [days, bestSellers, runningLow, latest, paymentsInNeed] = await Promise.all([
        selectDays(db),
        selectBestSellers(db),
        selectRunningLow(db),
        selectOrders(db, {}, { limit: LATEST, offset: 0 }),
        countPaymentsInNeed(db),
      ])
      return {
        ...presentFigures({ days, bestSellers, runningLow }),
        latestOrders: await shown(latest),
        paymentsInNeed,
      }
    },
  }
}
