/** Refunds: money without an order is refunded, retried and polled until the provider has done it. */
import { queueEmail } from '#app/emails/server/queue.sql.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { backoffSeconds } from '../backoff.ts'
import type { OpenProvider, PaymentContext } from '../context.ts'
import type { Refund } from '../providers/provider.ts'
import { NOTHING_TO_SELL } from '../refusals.ts'
import { refuse } from '../reservations.ts'
import { lockPaymentById, ownMoney } from '../store.ts'
import { UNDECIDED } from '../transitions.ts'
import { lockRefundedOf, type RefundedPayment, selectRefundedOf } from './refund-email-store.ts'
import {
  markAccepted,
  markRefunded,
  noteFailedRefund,
  noteRefundPoll,
  selectUnmatched,
  type TakenRefund,
  takeRefund,
} from './refund-store.ts'

/** How many are handled in one run of the job. */
const BATCH = 100

type RefundContext = Pick<PaymentContext, 'providers' | 'log' | 'retrySeconds'>

/** Requests the refund, or polls one in progress, whose amount is known from an earlier poll. */
const advance = async (
  provider: OpenProvider,
  { id, money, storedMinor, ...taken }: TakenRefund,
): Promise<Refund> =>
  taken.refund_accepted
    ? { ...(await provider.refunds(money)), amountMinor: storedMinor }
    : provider.refund(money, {
        storedMinor,
        totalRefundMinor: taken.refund_minor,
        doneMinor: taken.refunded_minor,
        key: `${id}-${taken.refund_attempt}`,
      })

function queueRefundEmail(tx: Database, payment: RefundedPayment, amount_minor: number) {
  const { name, number, refunded_minor, paid_minor, currency, reason, test } = payment
  return queueEmail(tx, {
    kind: 'refund',
    facts: { name, number, amount_minor, refunded_minor, paid_minor, currency, reason, test },
    userId: payment.user_id,
    recipient: payment.email,
    ...(payment.order_id !== null && { orderId: payment.order_id }),
  })
}

/**
 * Runs a change of what a payment, or its surplus, has refunded inside the caller's transaction, and
 * queues an e-mail about each amount that it adds. Each refunded amount is told once, whichever of
 * provider's answer, webhook and poll reports it first.
 */
export async function withRefundEmails<Result>(
  tx: Database,
  paymentId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const former = new Map(
    (await lockRefundedOf(tx, paymentId)).map(({ id, refunded_minor }) => [id, refunded_minor]),
  )
  const result = await change()
  for (const payment of await selectRefundedOf(tx, paymentId)) {
    const added = payment.refunded_minor - (former.get(payment.id) ?? 0)
    if (added > 0) await queueRefundEmail(tx, payment, added)
  }
  return result
}

/** Whether the refund failed at the provider. An accepted one that its list does not have yet did not. */
const hasFailed = ({ refund_accepted, refund_id }: TakenRefund, { failedIds }: Refund): boolean =>
  !refund_accepted || refund_id === null || failedIds.includes(refund_id)

async function noteProgress(
  db: Database,
  { log, retrySeconds }: RefundContext,
  taken: TakenRefund,
  refund: Refund,
) {
  const { id, money, refund_accepted: wasAccepted, refund_minor, attempts } = taken
  const { amountMinor, refundedMinor, pendingMinor, refundId } = refund
  const totalRefundMinor = refund_minor ?? amountMinor
  const pauseSeconds = backoffSeconds(retrySeconds, attempts)
  if (refundedMinor >= totalRefundMinor)
    await inTransaction(db, SHOP, (tx) =>
      withRefundEmails(tx, id, () =>
        markRefunded(tx, id, { amountMinor, refundedMinor, requestedMinor: refund_minor }),
      ),
    )
  else if (refundedMinor + pendingMinor < totalRefundMinor && hasFailed(taken, refund)) {
    log.error(
      { providerPaymentId: money, refund },
      'a refund failed at the provider; it is retried',
    )
    const error = 'The provider reports that the refund failed.'
    await noteFailedRefund(db, { id, wasAccepted, error, pauseSeconds, isRefused: true })
  } else if (wasAccepted) await noteRefundPoll(db, id, pauseSeconds)
  else await markAccepted(db, { id, amountMinor, refundId, pauseSeconds })
}

/** The provider refused or did not answer. A refund that it has accepted is still in progress. */
async function noteNoAnswer(
  db: Database,
  { log, retrySeconds }: RefundContext,
  { id, money, refund_accepted: wasAccepted, attempts }: TakenRefund,
  thrown: unknown,
): Promise<RefundAttempt> {
  const isRefused = thrown instanceof Failure && thrown.code === 'not_found'
  const pauseSeconds = backoffSeconds(retrySeconds, attempts)
  if (wasAccepted) {
    await noteRefundPoll(db, id, pauseSeconds)
    return isRefused ? 'refused' : 'unanswered'
  }
  log.error({ err: thrown, providerPaymentId: money }, 'a refund failed; it is retried')
  const error = thrown instanceof Error ? thrown.message : String(thrown)
  // a request without an answer may have made its refund
  await noteFailedRefund(db, { id, wasAccepted, error, pauseSeconds, isRefused })
  return isRefused ? 'refused' : 'unanswered'
}

/** The result of an attempt. `done` is also one that another caller has taken. */
export type RefundAttempt = 'done' | 'refused' | 'unanswered'

/**
 * Refunds money at its provider whose refund is due, or polls its progress; only one caller at
 * a time does. Money at a provider that is not open stays due until the shop is connected to it again. A refusal
 * of the provider, and an answer that does not come, are noted, and the refund is retried after a pause.
 */
export async function refund(
  db: Database,
  context: RefundContext,
  id: string,
): Promise<RefundAttempt> {
  const taken = await takeRefund(
    db,
    id,
    context.providers.all.map(({ name }) => name),
  )
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

/** Refuses undecided money when nobody has named its cart in time. */
export async function refuseUnmatched(
  db: Database,
  { providers, reservationMinutes }: Pick<PaymentContext, 'providers' | 'reservationMinutes'>,
  stop?: AbortSignal,
): Promise<void> {
  for (const { id } of await selectUnmatched(db, reservationMinutes, BATCH)) {
    if (stop?.aborted) return
    await inTransaction(db, SHOP, async (tx) => {
      const payment = await lockPaymentById(tx, id)
      const money = payment?.provider_payment_id
      if (!payment || !money || !UNDECIDED.includes(payment.state)) return
      const own = ownMoney(payment, money, providers.get(payment.provider))
      await refuse(tx, payment, own, NOTHING_TO_SELL)
    })
  }
}
