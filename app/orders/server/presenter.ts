import { toMajor } from '#app/shared/server/money.ts'
import type { Row } from '#db/schema.ts'
import type { Figures, OrderHead } from '../admin-contract.ts'
import type { Delivery, Order } from '../contract.ts'
import type { salesFigures } from './figures.ts'
import { soldProducts } from './sold-products.ts'
import type { OrderRow } from './store.ts'

/** Field names of the specification, such as `createAt`. */
export const presentOrderHead = (order: OrderRow): OrderHead => ({
  _id: order.id,
  status: order.status,
  buyer: { _id: order.user_id, name: order.buyer_name },
  createAt: order.created_at.toISOString(),
  payment: {
    razorpay_payment_id: order.provider_payment_id,
    razorpay_order_id: order.provider_order_id,
  },
  total: toMajor(order.total_minor),
  ...(order.test && { test: true }),
  ...(order.refunded_minor > 0 && { refunded: toMajor(order.refunded_minor) }),
  ...(order.is_refund_pending && { refundPending: true }),
  ...(order.refund_reason !== null && { refundReason: order.refund_reason }),
})

const deliveryOf = (order: OrderRow): Delivery => ({
  name: order.delivery?.name ?? order.buyer_name,
  email: order.buyer_email,
  phone: order.delivery?.phone ?? order.buyer_phone,
  address: order.buyer_address,
  isChanged: order.is_changed,
  ...(order.delivery && { parts: order.delivery }),
})

/** Orders as the API returns them. */
export function presentOrders(orders: OrderRow[], lines: Row<'order_lines'>[]): Order[] {
  const byOrder = soldProducts(lines)
  return orders.map((order) => ({
    ...presentOrderHead(order),
    products: byOrder.get(order.id) ?? [],
    delivery: deliveryOf(order),
  }))
}

type Rows = Awaited<ReturnType<ReturnType<typeof salesFigures>>>

/** The figures as the API returns them: ids as `_id`, money in major units. */
export const presentFigures = (rows: Rows): Omit<Figures, 'latestOrders' | 'paymentsInNeed'> => ({
  days: rows.days.map(({ revenue_minor, ...day }) => ({ ...day, revenue: toMajor(revenue_minor) })),
  bestSellers: rows.bestSellers.map(({ id, revenue_minor, ...product }) => ({
    _id: id,
    ...product,
    revenue: toMajor(revenue_minor),
  })),
  runningLow: rows.runningLow.map(({ id, ...product }) => ({ _id: id, ...product })),
})
