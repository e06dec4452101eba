/** What can be refunded of an order, for the dialogs of the back office. */
import type { Refundable } from '#app/payments/order-admin-contract.ts'
import { type MoneyText, moneyTextOf } from '#app/settings/server/money-text.ts'
import { Failure, notFound } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { soldPartOf } from './refund-lines.ts'
import { selectParts } from './refund-lines-store.ts'
import {
  leftMinor,
  type PaidOrder,
  refundedNow,
  requireMoney,
  requirePaid,
  requireUndisputed,
} from './refund-rules.ts'
import { selectMoneyOf, selectPaymentOfOrder } from './store.ts'

/** Why nothing can be refunded now; null when it can. */
function refusalOf(
  context: PaymentContext & { money: MoneyText },
  state: string,
  order: PaidOrder,
): string | null {
  if (order.provider === 'none') return 'This order cost nothing.'
  try {
    requirePaid(state, order.money)
    requireMoney(context, order)
    requireUndisputed(order)
    refundedNow(context, order, null)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

/** The parts of an order and its money. Throws `not_found` for an unknown order. */
export async function refundableOf(
  db: Database,
  context: PaymentContext,
  orderId: string,
): Promise<Refundable> {
  const payment = await selectPaymentOfOrder(db, orderId).executeTakeFirst()
  if (!payment) throw notFound('There is no such order.')
  const [money, parts, moneyText] = await Promise.all([
    selectMoneyOf(db, payment.id),
    selectParts(db, orderId),
    moneyTextOf(db),
  ])
  const order = { ...payment, currency: money[0]?.currency ?? payment.currency, money }
  return {
    currency: order.currency,
    totalMinor: payment.amount_minor,
    leftMinor: Math.max(0, leftMinor(order)),
    isTaxAdded: parts.some(({ is_tax_added }) => is_tax_added),
    isByHand: context.providers.get(payment.provider)?.isByHand ?? false,
    isUnpaid: payment.state === 'owed',
    refusal: refusalOf({ ...context, money: moneyText }, payment.state, order),
    parts: parts.map((row) => ({ ...soldPartOf(row), name: row.name, returned: row.returned })),
  }
}
