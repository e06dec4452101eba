/** Texts about orders, of pages and e-mails. */
import { formatDay } from '../shared/model/format-day.ts'
import type { Order, PaymentMethod } from './contract.ts'

/** The amount that is owed, and its day; `money` formats major units. */
export const owedSentence = (
  { owed, dueDate, isLate }: NonNullable<Order['unpaid']>,
  money: (amount: number) => string,
): string => `${money(owed)} ${isLate ? 'was' : 'is'} to be paid by ${formatDay(dueDate)}.`

/** The reference of a bank transfer; null of another payment method. */
export const referenceOf = (method: PaymentMethod, orderNumber: number): string | null =>
  method === 'bank_transfer' ? `Order ${orderNumber}` : null
