/** The webhook promises that a signed report has its effect once, and a forged one none at all. */
import { PROVIDER } from '#app/shared/server/actor/actor.ts'
import { Failure, invalid, unavailable } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { Desk } from '../desk.ts'
import { raiseGivenBack } from '../given-back/store.ts'
import { askAboutRefundNow, markRefunded, noteReportedFailure } from '../refund-store.ts'
import { BUYS_NOTHING } from '../refunds.ts'
import { completePayment } from '../settlement.ts'
import { bookMoney, findMoney, lockPayment, refuseMoney, selectPayment } from '../store.ts'
import { keepUnknown } from '../unknown/service.ts'
import { paidAt, type Report, type ReportedPayment, readReport, refundedBy } from './report.ts'
import { isSigned } from './signature.ts'
import { deleteOldEvents, insertEvent, isHeard, noteFailure } from './store.ts'

/** Longer texts and ids are not the provider's. */
const LONGEST = 200

const SECONDS_UNTIL_SET_UP = 3600

/** The money came in: it makes its order, or goes back. */
async function hearPaid(db: Database, desk: Desk, { payment, order }: Report) {
  if (!payment) return
  const {
    order_id: providerOrderId,
    id: providerPaymentId,
    amount: amountMinor,
    currency,
  } = payment
  const paid = { amountMinor, currency }
  if (!(await selectPayment(db, providerOrderId))) {
    const receipt = order?.id === providerOrderId ? order.receipt : null
    const which = { providerOrderId, providerPaymentId, receipt, paidAt: paidAt(payment) }
    return keepUnknown(db, desk, { ...which, ...paid })
  }
  const claim = { providerOrderId, providerPaymentId, paid, reporter: PROVIDER }
  await completePayment(db, desk, claim).catch((error) => {
    // decided as well; or booked and asked about from now on, where its order is not told of; what
    // could not be asked now is to be reported again
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
  })
}

/** A try of the customer's failed; the next may not. */
async function hearFailed(db: Database, _desk: Desk, { payment }: Report) {
  if (!payment) return
  const why = payment.error_description
  const failure = typeof why === 'string' && why !== '' ? why : 'The payment failed.'
  // the database takes no NUL
  const told = failure.replaceAll('\0', '').slice(0, LONGEST)
  await inTransaction(db, PROVIDER, (tx) => noteFailure(tx, payment.order_id, told))
}

/** The merchant gave it back at the provider before it was sold for, so it never will be. */
async function bookGivenBack(db: Database, { provider }: Desk, payment: ReportedPayment) {
  await inTransaction(db, PROVIDER, async (tx) => {
    const ours = await lockPayment(tx, payment.order_id)
    if (ours?.provider !== provider.name) return
    const { id, amount: amount_minor, currency } = payment
    await bookMoney(tx, { id, payment_id: ours.id, amount_minor, currency })
    await refuseMoney(tx, id, BUYS_NOTHING)
  })
}

async function hearRefunded(db: Database, desk: Desk, { payment, refund }: Report) {
  if (!refund) return
  const { payment_id: id, amount } = refund
  const whole = payment?.id === id && amount >= payment.amount ? payment : null
  if (whole) await bookGivenBack(db, desk, whole)
  const money = await findMoney(db, id)
  await inTransaction(db, PROVIDER, async (tx) => {
    await raiseGivenBack(tx, id, refundedBy(payment, refund))
    if (whole) await markRefunded(tx, id, { amountMinor: whole.amount, doneMinor: amount })
    // a part: the provider knows how much that makes
    else await askAboutRefundNow(tx, id)
  })
  if (money?.state === 'kept') desk.log.warn(refund, 'money of an order was given back')
}

async function hearRefundFailed(db: Database, { retrySeconds }: Desk, { refund }: Report) {
  if (!refund) return
  const error = 'The provider reports that the refund failed.'
  await inTransaction(db, PROVIDER, (tx) =>
    noteReportedFailure(tx, { id: refund.payment_id, refundId: refund.id, error, retrySeconds }),
  )
}

/** What the shop listens to; anything else is well, and means nothing to it. */
const EFFECTS: Record<string, (db: Database, desk: Desk, report: Report) => Promise<void>> = {
  'payment.captured': hearPaid,
  'order.paid': hearPaid,
  'payment.failed': hearFailed,
  'refund.processed': hearRefunded,
  'refund.failed': hearRefundFailed,
}

type Heard = { raw: Buffer; signature: string; eventId: string }

/**
 * Hears what the provider reports. Reports may come in any order and any number of times. Throws
 * `invalid` when it is not signed with one of the secrets, and `unavailable` when there is none.
 */
export async function hearReport(
  db: Database,
  desk: Desk,
  { secrets, raw, signature, eventId }: Heard & { secrets: string[] },
): Promise<void> {
  if (secrets.length === 0) {
    const sentence = 'The webhook is closed: RAZORPAY_WEBHOOK_SECRET is not set.'
    throw unavailable(sentence, SECONDS_UNTIL_SET_UP)
  }
  if (!isSigned(secrets, raw, signature)) throw invalid('The signature is not right.')
  const isNamed = eventId !== '' && eventId.length <= LONGEST
  if (isNamed && (await isHeard(db, eventId))) return
  const report = readReport(raw)
  if (!report)
    desk.log.warn({ eventId, bytes: raw.length }, 'a signed report is none that is understood')
  const effect = report && Object.hasOwn(EFFECTS, report.event) && EFFECTS[report.event]
  if (report && effect) await effect(db, desk, report)
  // after its effect, so that one which was cut off is heard again
  if (isNamed) await insertEvent(db, eventId)
}

/** The provider repeats nothing after 30 days. */
export const forgetOldReports = (db: Database) => deleteOldEvents(db)
