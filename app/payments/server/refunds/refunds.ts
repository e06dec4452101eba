/** Refunds: each is requested, retried and polled until the provider has made it. */
import { creditNoteQueued } from '#app/orders/server/documents-due.sql.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { Database } from '#db/schema.ts'
import { backoffSeconds } from '../backoff.ts'
import { type Capture, selectUnmatched } from '../capture-store.ts'
import type { OpenProvider, PaymentContext } from '../context.ts'
import type { Refund } from '../providers/provider.ts'
import { NOTHING_TO_SELL } from '../refusals.ts'
import { end } from '../reservations.ts'
import { lockWithAccount, pollNow } from '../store.ts'
import { PAYABLE } from '../transitions.ts'
import { selectRefunded } from './refund-email-store.ts'
import {
  insertRefundElsewhere,
  markAccepted,
  markDone,
  markFailed,
  noteAttempt,
  pollRefunded,
  returnCapture,
  selectDueRefunds,
  setCapturedAmount,
  type TakenRefund,
  takeRefund,
} from './refund-store.ts'

/** How many are handled in one run of the job. */
const BATCH = 100

type RefundContext = Pick<PaymentContext, 'providers' | 'log' | 'retrySeconds'>

const namesOf = ({ providers }: RefundContext) => providers.all.map(({ name }) => name)

/** Requests the refund, or polls one in progress, whose amount is known from an earlier poll. */
const advance = async (provider: OpenProvider, taken: TakenRefund): Promise<Refund> =>
  taken.state === 'accepted'
    ? {
        ...(await provider.refunds(taken.provider_payment_id)),
        amountMinor: taken.paid_minor,
      }
    : provider.refund(taken.provider_payment_id, {
        storedMinor: taken.paid_minor,
        totalRefundMinor: taken.is_rest ? null : taken.refunded_minor + taken.amount_minor,
        doneMinor: taken.refunded_minor,
        key: `${taken.id}-${taken.attempt}`,
      })

/** Queues the credit note of a refund that is done, and records its event, in the transaction that has stored it. */
export async function queueRefundDocuments(tx: Database, id: string): Promise<void> {
  await creditNoteQueued(id).execute(tx)
  const refund = await selectRefunded(tx, id)
  if (!refund) return
  const { payment_id, order_id, is_mailed: notify, ...facts } = refund
  if (facts.amount_minor === 0) return
  await recordEvent(tx, {
    kind: 'refund_done',
    subjectId: order_id ?? payment_id,
    notify,
    facts: { refund_id: id, ...facts },
  })
}

type Refundable = Pick<Capture, 'id' | 'payment_id'>

/** Stores what was refunded at the provider and not by the shop, and tells the buyer. */
export async function noteRefundElsewhere(
  tx: Database,
  { id: captureId, payment_id }: Refundable,
  refundedMinor: number,
) {
  if (payment_id) await lockWithAccount(tx, payment_id)
  const id = await insertRefundElsewhere(tx, captureId, refundedMinor)
  if (id) await queueRefundDocuments(tx, id)
}

/** The refund is complete; what the provider has refunded beyond it was refunded elsewhere. */
const complete = (
  db: Database,
  { id, capture_id, payment_id, is_rest, amount_minor, refunded_minor }: TakenRefund,
  { amountMinor, refundedMinor }: Refund,
) =>
  inTransaction(db, SHOP, async (tx) => {
    await lockWithAccount(tx, payment_id)
    if (!(await markDone(tx, id, is_rest ? amountMinor - refunded_minor : amount_minor))) return
    await setCapturedAmount(tx, capture_id, amountMinor)
    await queueRefundDocuments(tx, id)
    await noteRefundElsewhere(tx, { id: capture_id, payment_id }, refundedMinor)
    await pollRefunded(tx, payment_id)
  })

/** Whether the refund failed at the provider. An accepted one that its list does not have yet did not. */
const hasFailed = (
  { state, provider_refund_id: id }: TakenRefund,
  { failedIds }: Refund,
): boolean => state !== 'accepted' || id === null || failedIds.includes(id)

async function noteProgress(
  db: Database,
  { log, retrySeconds }: RefundContext,
  taken: TakenRefund,
  refund: Refund,
) {
  const { id, state, attempts, provider_payment_id: providerPaymentId } = taken
  const { amountMinor, refundedMinor, pendingMinor, refundId } = refund
  const total = taken.is_rest ? amountMinor : taken.refunded_minor + taken.amount_minor
  const pauseSeconds = backoffSeconds(retrySeconds, attempts)
  if (refundedMinor >= total) await complete(db, taken, refund)
  else if (refundedMinor + pendingMinor < total && hasFailed(taken, refund)) {
    log.error({ providerPaymentId, refund }, 'a refund failed at the provider; it is retried')
    const error = 'The provider reports that the refund failed.'
    await markFailed(db, { id, error, pauseSeconds })
  } else if (state === 'accepted') await noteAttempt(db, { id, state, pauseSeconds })
  else await markAccepted(db, { id, refundId, pauseSeconds })
}

/** The provider refused or did not answer. A refund that it has accepted is still in progress. */
async function noteNoAnswer(
  db: Database,
  { log, retrySeconds }: RefundContext,
  { id, state, attempts, provider_payment_id: providerPaymentId }: TakenRefund,
  thrown: unknown,
): Promise<RefundAttempt> {
  const isRefused = thrown instanceof Failure && thrown.code === 'not_found'
  const pauseSeconds = backoffSeconds(retrySeconds, attempts)
  if (state === 'accepted') await noteAttempt(db, { id, state, pauseSeconds })
  else {
    log.error({ err: thrown, providerPaymentId }, 'a refund failed; it is retried')
    const error = thrown instanceof Error ? thrown.message : String(thrown)
    // a request without an answer may have made its refund
    if (isRefused) await markFailed(db, { id, error, pauseSeconds })
    else await noteAttempt(db, { id, state, error, pauseSeconds })
  }
  return isRefused ? 'refused' : 'unanswered'
}

/** The result of an attempt. `done` is also one that another caller has taken. */
export type RefundAttempt = 'done' | 'refused' | 'unanswered'

/**
 * Makes a refund at its provider that is due, or polls its progress; only one caller at a time does. Money at
 * a provider that is not open stays due until the shop is connected to it again. A refusal of the provider, and an answer that does not come, are noted, and the refund is retried after a pause.
 */
export async function refund(
  db: Database,
  context: RefundContext,
  id: string,
): Promise<RefundAttempt> {
  const taken = await takeRefund(db, id, namesOf(context))
  const provider = taken && context.providers.get(taken.provider)
  if (!provider) return 'done'
  let answer: Refund
  try {
    answer = await advance(provider, taken)
  } catch (error) {
    return noteNoAnswer(db, context, taken, error)
  }
  await noteProgress(db, context, taken, answer)
  return 'done'
}

/** Makes the refunds of a capture that are due. */
export async function refundCapture(db: Database, context: RefundContext, captureId: string) {
  const due = await selectDueRefunds(db, namesOf(context), { captureId, limit: 1 })
  for (const id of due) await refund(db, context, id)
}

/**
 * Makes the refunds that are due at the open providers, at each until it does not answer or the job is aborted: a
 * provider that does not answer one would let each of the others wait as long.
 */
export async function processRefunds(
  db: Database,
  context: RefundContext,
  stop?: AbortSignal,
): Promise<void> {
  for (const name of namesOf(context))
    for (const id of await selectDueRefunds(db, [name], { limit: BATCH })) {
      if (stop?.aborted) return
      if ((await refund(db, context, id)) === 'unanswered') break
    }
}

/** Refuses undecided money when its payment is paid or over, or nobody has named its cart in time. */
export async function refuseUnmatched(
  db: Database,
  { providers, reservationMinutes }: Pick<PaymentContext, 'providers' | 'reservationMinutes'>,
  stop?: AbortSignal,
): Promise<void> {
  for (const { id, paymentId } of await selectUnmatched(db, reservationMinutes, BATCH)) {
    if (stop?.aborted) return
    await inTransaction(db, SHOP, async (tx) => {
      const payment = await lockWithAccount(tx, paymentId)
      if (!payment) return
      await returnCapture(tx, id, NOTHING_TO_SELL, providers.get(payment.provider))
      if (PAYABLE.includes(payment.state)) await end(tx, payment, 'cancelled')
      // money that the provider has not confirmed yet
      await pollNow(tx, paymentId)
    })
  }
}
