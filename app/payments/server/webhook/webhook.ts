/** The webhook of the provider: a signed event takes effect once; an unsigned one is refused. */
import { PROVIDER } from '#app/shared/server/actor/actor.ts'
import { notFound, unavailable } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { type Capture, insertRefunded, insertUnknown, selectCapture } from '../capture-store.ts'
import { completeReported } from '../completion.ts'
import { asStored, type OpenProvider, type PaymentContext } from '../context.ts'
import { PROVIDERS } from '../providers/list.ts'
import type { Amount, Delivery, ProviderEvent } from '../providers/provider.ts'
import { noteNotCaptured } from '../reconciliation/reconciliation.ts'
import { expediteRefund } from '../refunds/refund-store.ts'
import { noteRefundElsewhere } from '../refunds/refunds.ts'
import { lockWithAccount, selectPayment } from '../store.ts'
import { noteDispute } from './dispute-store.ts'
import { deleteOldEvents, insertEvent, isProcessed, noteFailure, resolveUnknown } from './store.ts'

/** The provider's texts and ids are shorter. */
const MAX_LENGTH = 200

const NOT_SET_UP_SECONDS = 3600

type EventOf<Kind> = Extract<ProviderEvent, { kind: Kind }>

/** The shop as one provider reports to it. */
type Context = PaymentContext & { provider: OpenProvider }

/** Keeps money for an order that this shop does not have, for an admin's review. */
async function storeUnknown(db: Database, { provider, log }: Context, money: EventOf<'captured'>) {
  await insertUnknown(db, provider.name, money)
  const link = provider.dashboardLink(money.paymentId)
  log.error({ money, link }, 'money came in for an order that this shop does not have')
}

/** An amount of an event in the currency of its payment. Unknown money stays in that of the provider. */
async function inStoredCurrency<Money extends Amount & { orderId: string }>(
  db: Database,
  { providerCurrency }: Context,
  money: Money,
): Promise<Money> {
  const payment = providerCurrency === null ? undefined : await selectPayment(db, money.orderId)
  return payment ? asStored(money, { currency: payment.currency, providerCurrency }) : money
}

/** Money came in, or was authorised. Authorised money for an unknown order is nobody's: it is released. */
async function onMoney(
  db: Database,
  context: Context,
  event: EventOf<'captured'> | EventOf<'authorised'>,
) {
  const { orderId: providerOrderId, paymentId: providerPaymentId, amountMinor, currency } = event
  const amount = { amountMinor, currency }
  const isKnown = await completeReported(db, context, {
    provider: context.provider,
    providerOrderId,
    providerPaymentId,
    reporter: PROVIDER,
    ...(event.kind === 'captured' ? { paid: amount } : { authorised: amount }),
  })
  if (isKnown || event.kind === 'authorised') return
  // money of another payment, or of one that was deleted
  if (!(await selectPayment(db, providerOrderId))) await storeUnknown(db, context, event)
}

/** An attempt of the buyer failed; the next one may succeed. */
async function onFailed(db: Database, { orderId, reason }: EventOf<'failed'>) {
  // PostgreSQL's text has no NUL
  const failure = (reason || 'The payment failed.').replaceAll('\0', '').slice(0, MAX_LENGTH)
  await inTransaction(db, PROVIDER, (tx) => noteFailure(tx, orderId, failure))
}

/** Notes that the authorised money of a payment was released, and never captured. */
async function onReleased(
  db: Database,
  context: Context,
  { orderId, paymentId }: EventOf<'released'>,
) {
  const payment = await selectPayment(db, orderId)
  const ids = { failed: [], released: [paymentId] }
  if (payment) await noteNotCaptured(db, context, { paymentId: payment.id, ...ids })
}

async function onRefunded(db: Database, context: Context, event: EventOf<'refunded'>) {
  const { paymentId, refundedMinor, whole } = event
  // money that was refunded before the shop heard of it buys nothing
  if (whole) {
    const money = await inStoredCurrency(db, context, whole)
    await insertRefunded(db, context.provider.name, { paymentId, ...money })
  }
  const capture = await selectCapture(db, paymentId)
  if (!capture) return
  if (capture.purpose === 'unknown') return resolveUnknown(db, paymentId, refundedMinor)
  await inTransaction(db, PROVIDER, async (tx) => {
    await noteRefundElsewhere(tx, capture, refundedMinor)
    // the provider knows the sum
    await expediteRefund(tx, capture.id)
  })
  if (capture.purpose === 'order')
    context.log.warn(event, 'money of an order was refunded at the provider')
}

/** Notes something about the money of a payment id, in one transaction; nothing about money that is not known. */
async function noteOn(
  db: Database,
  providerPaymentId: string,
  note: (tx: Database, capture: Capture) => Promise<unknown>,
) {
  const capture = await selectCapture(db, providerPaymentId)
  if (capture) await inTransaction(db, PROVIDER, (tx) => note(tx, capture))
}

/** The provider is polled for the refund that failed: the event may be of an earlier one. */
const onRefundFailed = (db: Database, { paymentId }: EventOf<'refund failed'>) =>
  noteOn(db, paymentId, (tx, { id }) => expediteRefund(tx, id, ['accepted']))

async function onDispute(db: Database, { log }: Context, event: EventOf<'disputed'>) {
  log.warn(event, 'the bank of a buyer disputes a payment')
  await noteOn(db, event.paymentId, async (tx, { id, payment_id }) => {
    // before its refunds are looked at
    if (payment_id) await lockWithAccount(tx, payment_id)
    await noteDispute(tx, id, event.dispute)
  })
}

async function processEvent(db: Database, context: Context, event: ProviderEvent) {
  switch (event.kind) {
    case 'authorised':
    case 'captured':
      return onMoney(db, context, await inStoredCurrency(db, context, event))
    case 'failed':
      return onFailed(db, event)
    case 'released':
      return onReleased(db, context, event)
    case 'refunded':
      return onRefunded(db, context, event)
    case 'refund failed':
      return onRefundFailed(db, event)
    case 'disputed':
      return onDispute(db, context, event)
  }
}

/** Why webhooks of a provider are not accepted. Throws. */
function refuseWebhook(name: string): never {
  const known = PROVIDERS.find((provider) => provider.name === name)
  if (!known) throw notFound('There is no such provider.')
  const { webhookSetting = known.setUp } = known
  throw unavailable(`Webhooks are disabled: ${webhookSetting} is not set.`, NOT_SET_UP_SECONDS)
}

/**
 * Processes a delivery of a provider; they may come in any order and any number of times. Throws `invalid` when
 * it is not signed with the secret, `unavailable` when there is no secret, and `not_found` for another name.
 */
export async function processWebhook(
  db: Database,
  context: PaymentContext,
  name: string,
  delivery: Delivery,
): Promise<void> {
  const provider = context.providers.get(name)
  if (!provider?.readEvent) return refuseWebhook(name)
  const { id, event } = provider.readEvent(delivery)
  const hasId = id !== '' && id.length <= MAX_LENGTH
  if (hasId && (await isProcessed(db, id))) return
  if (event === undefined)
    context.log.warn({ eventId: id, bytes: delivery.raw.length }, 'a signed webhook is malformed')
  if (event) await processEvent(db, { ...context, provider }, event)
  // after its effect: an event that was interrupted is processed again
  if (hasId) await insertEvent(db, id)
}

/** The provider repeats no event after 30 days. */
export const forgetOldEvents = (db: Database) => deleteOldEvents(db)
