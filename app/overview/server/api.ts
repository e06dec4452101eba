import { numberIn } from '#app/orders/server/order-number.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { memoize } from '#app/shared/server/cache/memoize.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { overviewCalls } from '../admin-contract.ts'
import { selectCustomers, selectOrders, selectProducts } from './search-store.ts'
import { selectWaiting } from './store.ts'

/** `getWaiting` is called on each navigation and each minute by every open tab, so its answer is shared. */
export function overviewHandlers(db: Database): Handlers<typeof overviewCalls> {
  const waiting = memoize(() => selectWaiting(db))
  return {
    getWaiting: ({ query }) => waiting(query.fresh),
    async search({ query }) {
      const text = query.q.trim()
      if (text === '') return { orders: [], customers: [], products: [] }
      const number = numberIn(text)
      const [orders, customers, products] = await Promise.all([
        number === null ? [] : selectOrders(db, number),
        selectCustomers(db, text),
        selectProducts(db, text),
      ])
      return {
        orders: orders.map(({ total_minor, ...order }) => ({
          ...order,
          total: toMajor(total_minor, order.currency),
        })),
        customers,
        products,
      }
    },
  }
}
