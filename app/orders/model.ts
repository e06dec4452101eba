/** Texts about orders, of pages and e-mails. */
import { formatDay } from '../shared/model/format-day.ts'
import type { Order, OrderStatus, PaymentMethod } from './contract.ts'

/** The names of the statuses in the back office; the values are those of spec §4. */
export const STATUS_NAMES: Record<OrderStatus, string> = {
  'Not Process': 'New',
  Processing: 'Processing',
  Shipped: 'Shipped',
  deliverd: 'Delivered',
  cancel: 'Cancelled',
}

/** The amount that is owed, and its day; `money` formats major units. */
export const owedSentence = (
  { owed, dueDate, isLate }: NonNullable<Order['unpaid']>,
  money: (amount: number) => string,
): string => `${money(owed)} ${isLate ? 'was' : 'is'} to be paid by ${formatDay(dueDate)}.`

/** The reference of a bank transfer; null of another payment method. */
export const referenceOf = (method: PaymentMethod, orderNumber: number): string | null =>
  method === 'bank_transfer' ? `Order ${orderNumber}` : null
