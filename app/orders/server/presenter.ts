import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Row, StoredQuote } from '#db/schema.ts'
import type { ListedOrder, OrderHead } from '../admin-contract.ts'
import { trackingUrlOf } from '../carrier-model.ts'
import { type Billing, ORDER_STATUSES, type Order } from '../contract.ts'
import { isNews } from './handling/news.ts'
import { soldProducts } from './sold-products.ts'
import type { OrderRefund, OrderRow } from './store.ts'

/** A stored rate of tax, in thousandths of a percent, as a percentage; null without one. */
export const percentOf = (rate: number | null) => (rate === null ? null : rate / 1000)

type Adjustment = StoredQuote['adjustments'][number]

/** The parts of a total; nothing for an order of goods only. */
function partsOf({
  total_minor,
  adjustments,
  currency,
}: OrderRow): Pick<Order, 'subtotal' | 'adjustments'> {
  if (!adjustments || adjustments.length === 0) return {}
  const added = adjustments.filter(({ is_included }) => !is_included)
  const subtotal = added.reduce((rest, { amount_minor }) => rest - amount_minor, total_minor)
  return {
    subtotal: toMajor(subtotal, currency),
    adjustments: adjustments.map(presentAdjustment(currency)),
  }
}

const presentAdjustment =
  (currency: string) =>
  ({ kind, label, amount_minor, is_included }: Adjustment) => ({
    kind,
    label,
    amount: toMajor(amount_minor, currency),
    ...(is_included && { included: true }),
  })

const presentRefund =
  (currency: string) =>
  ({ day, amount_minor, reason, credit_note, lines }: OrderRefund) => ({
    date: day,
    amount: toMajor(amount_minor, currency),
    reason,
    creditNote: credit_note,
    ...(lines && {
      lines: lines.map(({ name, quantity, amount_minor: minor }) => ({
        name,
        quantity,
        amount: toMajor(minor, currency),
      })),
    }),
  })

type ByHandRow = Pick<OrderRow, 'by_hand' | 'total_minor' | 'paid_minor' | 'currency'>

/** How an order is paid without a provider, and what is owed of it. */
export function presentByHand({
  by_hand,
  total_minor,
  paid_minor,
  currency,
}: ByHandRow): Pick<Order, 'paymentMethod' | 'unpaid'> {
  if (!by_hand) return {}
  const { method, name, due } = by_hand
  const paymentMethod = { method, name, received: toMajor(paid_minor, currency) }
  if (!due) return { paymentMethod }
  const owed = toMajor(total_minor - paid_minor, currency)
  return { paymentMethod, unpaid: { owed, dueDate: due.day, isLate: due.is_late } }
}

/** The shipment and the note to the customer, where there are any. */
function presentHandling(order: OrderRow): Pick<Order, 'shipment' | 'customerNote'> {
  const { carrier, tracking_number: trackingNumber, customer_note } = order
  const trackingUrl = trackingUrlOf(carrier, trackingNumber)
  const isSent = carrier !== null || trackingNumber !== null
  return {
    ...(isSent && { shipment: { carrier, trackingNumber, trackingUrl } }),
    ...(customer_note !== null && { customerNote: customer_note }),
  }
}

/** Field names of the specification, such as `createAt`. */
export const presentOrderHead = (order: OrderRow): OrderHead => ({
  _id: order.id,
  number: order.number,
  status: order.status,
  buyer: { _id: order.user_id, name: order.buyer_name },
  createAt: order.created_at.toISOString(),
  payment: {
    razorpay_payment_id: order.provider_payment_id ?? '',
    razorpay_order_id: order.provider_order_id,
  },
  total: toMajor(order.total_minor, order.currency),
  currency: order.currency,
  ...partsOf(order),
  ...(order.test && { test: true }),
  ...presentByHand(order),
  ...(order.capture && { capture: order.capture }),
  ...(order.refunded_minor > 0 && { refunded: toMajor(order.refunded_minor, order.currency) }),
  ...(order.refunds && { refunds: order.refunds.map(presentRefund(order.currency)) }),
  ...(order.is_refund_pending && { refundPending: true }),
  ...(order.is_refund_refused && { refundRefused: true }),
  ...(order.refund_reason !== null && { refundReason: order.refund_reason }),
  ...(order.stock_returned_at !== null && { stockReturned: true }),
  ...presentHandling(order),
})

/** The billing address of a purchase that had one. */
const presentBilling = ({ text, ...parts }: NonNullable<OrderRow['billing']>): Billing => ({
  name: parts.name,
  phone: parts.phone,
  address: text,
  parts,
})

/** The recipient of the parcel: the buyer, or somebody else. */
export const recipientOf = (
  order: Pick<OrderRow, 'delivery' | 'buyer_name' | 'buyer_phone' | 'buyer_address'>,
) => ({
  name: order.delivery?.name ?? order.buyer_name,
  phone: order.delivery?.phone ?? order.buyer_phone,
  address: order.buyer_address,
})

const presentOrder = (order: OrderRow, products: Order['products'] = []): Order => ({
  ...presentOrderHead(order),
  products,
  delivery: {
    ...recipientOf(order),
    email: order.buyer_email,
    isChanged: order.is_changed,
    ...(order.delivery && { parts: order.delivery }),
  },
  ...(order.billing && { billing: presentBilling(order.billing) }),
})

/** The sold products of orders, by order id. */
function soldOf(orders: OrderRow[], lines: Row<'order_lines'>[]) {
  const currencies = new Map(orders.map(({ id, currency }) => [id, currency]))
  return soldProducts(
    lines.flatMap((line) => {
      const currency = currencies.get(line.order_id)
      return currency === undefined ? [] : [{ ...line, currency }]
    }),
  )
}

/** Orders as the API returns them. */
export function presentOrders(orders: OrderRow[], lines: Row<'order_lines'>[]): Order[] {
  const sold = soldOf(orders, lines)
  return orders.map((order) => presentOrder(order, sold.get(order.id)))
}

/** Orders of the back office's list; `toSend` has the ids of those that are to be sent. */
export function presentListed(
  orders: OrderRow[],
  lines: Row<'order_lines'>[],
  toSend: ReadonlySet<string>,
): ListedOrder[] {
  const sold = soldOf(orders, lines)
  return orders.map((order) => ({
    ...presentOrder(order, sold.get(order.id)),
    toSend: toSend.has(order.id),
    mails: ORDER_STATUSES.filter((status) => isNews(status, order)),
  }))
}

/** An order as the API returns it, with its lines. */
export const presentSold = (order: OrderRow, lines: Row<'order_lines'>[]): Order =>
  presentOrder(order, soldOf([order], lines).get(order.id))
