/**
 * Completion: money is decided on once, also when it is only authorised. It pays for its order, and is captured
 * then; or it is refunded, or never captured.
 */
import { v7 as uuidv7 } from 'uuid'
import type { Order } from '#app/orders/contract.ts'
import { presentPlaced } from '#app/orders/server/service.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { type Capture, selectCapture } from './capture-store.ts'
import { captureAndPlace } from './completion-store.ts'
import type { PaymentContext } from './context.ts'
import { decide, moneyOf, type Report, storeUndecided } from './decision.ts'
import type { Amount } from './providers/provider.ts'
import { type Payment, restartPolling, selectPayment } from './store.ts'
import { PAYABLE } from './transitions.ts'

/** The order that was placed just now; else the money as it was decided on. */
export type Completed = { order: Order } | { capture: Capture }

/**
 * Decides on money once, however often the browser, the webhook or a poll report it: it pays for its order;
 * it goes back where there is nothing to sell for it, where its payment was cancelled or has its order
 * already, and where a product is sold out or the prices of the start are no longer honoured; or it stays
 * undecided, where the payment has no cart, until a buyer names the cart. Null for money of another payment.
 * Throws `unavailable` when the provider is needed and does not answer, and `not_found` when it refuses: then
 * the money is stored and decided on later.
 */
export async function completePayment(
  db: Database,
  context: PaymentContext,
  report: Report & { isExpected?: boolean },
): Promise<Completed | null> {
  const isOther = report.isExpected === false
  const placed = isOther ? undefined : await completeReserved(db, context, report)
  if (placed) return { order: presentPlaced(placed) }
  const isExpected = report.isExpected ?? (await isExpectedAmount(db, report))
  const capture = await inTransaction(db, report.reporter, (tx) =>
    decide(tx, context, { ...report, isExpected }),
  )
  return capture && { capture }
}

/**
 * Decides on money that a webhook reports, without a call of the provider: the webhook has to be answered
 * at once. Money of another amount is stored, and decided on by the poll of the provider's order, which
 * is due then. Refunds are made by their job. False for money of another payment.
 */
export async function completeReported(
  db: Database,
  context: PaymentContext,
  report: Report,
): Promise<boolean> {
  if (await completeReserved(db, context, report)) return true
  const payment = await selectPayment(db, report.providerOrderId)
  const known = await selectCapture(db, report.providerPaymentId)
  return inTransaction(db, report.reporter, async (tx) => {
    if (!payment || !paidOtherwise(payment, known, report))
      return (await decide(tx, context, { ...report, isExpected: true })) !== null
    await storeUndecided(tx, report)
    await restartPolling(tx, payment.id, 0)
    return true
  })
}

/** The usual case, in one statement: the stock is reserved, and the amount is the right one. */
const completeReserved = (db: Database, { retrySeconds }: PaymentContext, report: Report) =>
  captureAndPlace(db, {
    providerOrderId: report.providerOrderId,
    provider: report.provider.name,
    buyerId: report.buyerId,
    from: ['open'],
    money: moneyOf(report),
    reported: report.paid ?? report.authorised,
    isExpected: false,
    orderId: uuidv7(),
    retrySeconds,
  })

/**
 * Whether the provider's order was paid with the amount of the payment. A captured amount that
 * differs may include a fee or a discount of the provider, so its order is read. A signed proof
 * belongs to an order that was opened with exactly this amount.
 */
async function isExpectedAmount(db: Database, report: Report): Promise<boolean> {
  const { provider, providerOrderId: id, providerPaymentId } = report
  const payment = await selectPayment(db, id)
  const known = await selectCapture(db, providerPaymentId)
  if (!payment || !paidOtherwise(payment, known, report)) return true
  // the money is stored before the provider answers
  await inTransaction(db, report.reporter, (tx) => storeUndecided(tx, report))
  const { amount_minor: amountMinor, currency } = payment
  const order = await provider.lookUp({ id, amountMinor, currency })
  const money = order.payments.find((one) => one.id === providerPaymentId)
  return money?.paysOrder === true && matchesPrice(payment, order)
}

/** Whether an amount is the one of a payment. */
export const matchesPrice = (
  payment: Pick<Payment, 'amount_minor' | 'currency'>,
  { amountMinor, currency }: Amount,
) => amountMinor === payment.amount_minor && currency === payment.currency

/** Whether the captured or authorised amount is known, is another one than the payment's, and matters. */
function paidOtherwise(
  payment: Payment,
  known: Capture | undefined,
  { provider, paid, authorised }: Report,
): boolean {
  if (payment.provider !== provider.name || known?.purpose === 'nothing') return false
  // money that is not its own is refused, whatever its amount
  if (!PAYABLE.includes(payment.state) && known?.purpose !== 'order') return false
  const { amount_minor: amountMinor, currency } = known ?? payment
  // a proof does not say the amount, which a webhook may have reported before
  return !matchesPrice(payment, paid ?? authorised ?? { amountMinor, currency })
}
