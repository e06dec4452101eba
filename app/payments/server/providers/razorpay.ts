/** Razorpay, by its API: https://razorpay.com/docs/api. Its amounts are in minor units, too. */
import { type Static, Type } from 'typebox'
import { decimalsOf } from '#app/shared/model/minor-units.ts'
import { fits } from '#app/shared/server/input/validation.ts'
import { addressRules, type Call, openApi, pingApi, type Refusal, signedWebhook } from './http.ts'
import {
  isSigned,
  type OneRefund,
  optional,
  type ProviderEvent,
  type ProviderPayment,
  provider,
  type RefundRequest,
  type Refund as RefundResult,
  sumUp,
} from './provider.ts'

/** The shop captures what it wants. Razorpay releases the rest after three days (in minutes), without a fee. */
const MANUAL = {
  capture: 'manual',
  capture_options: { manual_expiry_period: 4320, refund_speed: 'normal' },
}

/**
 * The smallest amounts in minor units, as Razorpay's documentation has them. It names none of other currencies, such as
 * yen: Razorpay itself refuses what is too small then.
 */
const MINIMUM_MINOR: Record<string, number> = { INR: 100, MYR: 100, USD: 100 }

/** Razorpay's words for an idempotency key that it knows with another amount: that refund was made. */
const KEY_IS_KNOWN = 'Different request with the same idempotency key has already been processed.'

const Id = Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })
const Minor = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Any = Type.Optional(Type.Unknown())
const Money = { id: Id, amount: Minor, currency: Type.String({ pattern: '^[A-Z]{3}$' }) }
const Payment = Type.Object({
  ...Money,
  order_id: Id,
  status: Any,
  captured: Any,
  amount_refunded: Any,
  error_description: Any,
})
type Payment = Static<typeof Payment>
const Refund = Type.Object({ id: Id, payment_id: Id, amount: Minor, status: Any })
type Refund = Static<typeof Refund>

const isMinor = fits(Minor)
const isOrder = fits(Type.Object({ ...Money, amount_paid: Type.Integer(), status: Type.String() }))
const isPayment = fits(Payment)
const isPayments = fits(Type.Object({ items: Type.Array(Payment) }))
const isRefund = fits(Refund)
const isRefunds = fits(Type.Object({ items: Type.Array(Refund) }))
const isDispute = fits(Type.Object({ ...Refund.properties, amount_deducted: Any }))
const isRefusal = fits(Type.Object({ error: Type.Object({ description: Type.String() }) }))
const Parts = Type.Record(Type.String(), Type.Object({ entity: Type.Unknown() }))
const isEvent = fits(Type.Object({ event: Type.String(), payload: Parts }))

const SETTINGS = {
  RAZORPAY_KEY_ID: optional(
    'Razorpay key id, live or test. When not set, the shop takes no payments, except test payments in a demo or with PAYMENTS=sandbox.',
  ),
  RAZORPAY_KEY_SECRET: optional('Razorpay key secret. It belongs to RAZORPAY_KEY_ID.'),
  RAZORPAY_WEBHOOK_SECRET: optional(
    "Secret that signs Razorpay's webhooks to /api/v1/payment/webhook/razorpay. When keys are set and this is not, webhooks are refused with 503, and the shop polls Razorpay instead.",
  ),
  RAZORPAY_API_URL: optional(
    "Another address of Razorpay's API, for a proxy or for tests, e.g. http://127.0.0.1:4000.",
  ),
}
type Settings = Partial<Record<keyof typeof SETTINGS, string>>

/**
 * A refusal is final unless it concerns the keys (401), the rate (429), or an earlier request that is in
 * progress (409) or was processed.
 */
function refusalOf({ status, answer }: { status: number; answer: unknown }): Refusal {
  const words = isRefusal(answer) ? answer.error.description : null
  const isEarlier = status === 409 || words === KEY_IS_KNOWN
  const isFinal = status >= 400 && status < 500 && ![401, 429].includes(status) && !isEarlier
  return { words: isFinal || isEarlier ? words : null, isFinal }
}

/** Statuses of the port with the same name. */
const STATUSES = ['captured', 'failed', 'refunded'] as const

/** A payment in the port's words, of an order of this amount; one that is only created is left out. */
function presentPayment(
  payment: Payment,
  order: { amount: number; isPaid: boolean },
): ProviderPayment[] {
  const { id, amount, currency, captured, amount_refunded } = payment
  const same = STATUSES.find((one) => one === payment.status)
  const known = payment.status === 'authorized' ? 'authorised' : same
  const status = known === 'refunded' && captured === false ? 'released' : known
  const paysOrder = status === 'authorised' ? amount >= order.amount : order.isPaid
  const refundedMinor = Number(amount_refunded ?? 0)
  return status ? [{ id, amountMinor: amount, currency, status, paysOrder, refundedMinor }] : []
}

/** Any other status than processed or failed is pending. */
function presentRefund({ id, amount: amountMinor, status }: Refund): OneRefund {
  const state = status === 'processed' ? 'done' : status === 'failed' ? 'failed' : 'pending'
  return { id, amountMinor, state }
}

function paymentEvent(name: string, payment: unknown): ProviderEvent | null {
  if (!isPayment(payment)) return null
  const { id: paymentId, order_id: orderId, amount: amountMinor, currency } = payment
  const why = payment.error_description
  if (name === 'payment.failed')
    return { kind: 'failed', orderId, paymentId, reason: typeof why === 'string' ? why : null }
  const kind = name === 'payment.authorized' ? 'authorised' : 'captured'
  return { kind, orderId, paymentId, amountMinor, currency }
}

function refundEvent(refund: unknown, payment: unknown): ProviderEvent | null {
  if (!isRefund(refund)) return null
  const { payment_id: paymentId, amount } = refund
  const known = isPayment(payment) && payment.id === paymentId ? payment : null
  if (!known) return { kind: 'refunded', paymentId, refundedMinor: amount, whole: null }
  const { order_id: orderId, amount: amountMinor, currency, amount_refunded } = known
  if (known.captured === false) return { kind: 'released', orderId, paymentId }
  const refundedMinor = isMinor(amount_refunded) ? amount_refunded : amount
  const whole = amount >= amountMinor ? { orderId, amountMinor, currency } : null
  return { kind: 'refunded', paymentId, refundedMinor, whole }
}

function disputeEvent(dispute: unknown): ProviderEvent | null {
  if (!isDispute(dispute)) return null
  const { id, payment_id: paymentId, amount, amount_deducted: deducted } = dispute
  const state = (['won', 'lost', 'closed'] as const).find((one) => one === dispute.status) ?? 'open'
  const deductedMinor = isMinor(deducted) ? deducted : amount
  return { kind: 'disputed', paymentId, dispute: { id, state, deductedMinor } }
}

/** The event in the port's words; null for one that the shop does not need, undefined for what is none. */
function eventOf(parsed: unknown): ProviderEvent | null | undefined {
  if (!isEvent(parsed)) return undefined
  const { event: name, payload } = parsed
  const { payment, refund, dispute } = payload
  if (/^(payment\.(authorized|captured|failed)|order\.paid)$/.test(name))
    return paymentEvent(name, payment?.entity)
  if (name === 'refund.processed') return refundEvent(refund?.entity, payment?.entity)
  if (name === 'refund.failed' && isRefund(refund?.entity))
    return { kind: 'refund failed', paymentId: refund.entity.payment_id }
  return name.startsWith('payment.dispute.') ? disputeEvent(dispute?.entity) : null
}

/** Reads webhooks of Razorpay's format, as the sandbox does, too. */
export const razorpayWebhook = (secret: string) =>
  signedWebhook(secret, { signature: 'x-razorpay-signature', id: 'x-razorpay-event-id' }, eventOf)

/** The refunds of a payment, the newest first; it has fewer than the largest page. */
async function refundsOf(call: Call, id: string): Promise<OneRefund[]> {
  const expected = { payment_id: id }
  const { items } = await call(`payments/${id}/refunds?count=100`, isRefunds, { expected })
  return items.map(presentRefund)
}

/** Makes a refund of what is missing, or answers the one that the same request has made. */
async function refund(
  call: Call,
  id: string,
  { totalRefundMinor, doneMinor, key }: RefundRequest,
): Promise<RefundResult> {
  const { amount: amountMinor } = await call(`payments/${id}`, isPayment, { expected: { id } })
  const made = await refundsOf(call, id)
  const { refundedMinor, pendingMinor } = sumUp(made)
  // a refund that the shop knows of and the list does not have yet
  const unlistedMinor = Math.max(doneMinor - refundedMinor - pendingMinor, 0)
  const knownMinor = refundedMinor + pendingMinor + unlistedMinor
  const amount = (totalRefundMinor ?? amountMinor) - knownMinor
  if (amount <= 0) return { ...sumUp(made), amountMinor }
  const one = await call(`payments/${id}/refund`, isRefund, {
    expected: { payment_id: id },
    body: { amount },
    headers: { 'x-refund-idempotency': key },
  })
  const progress = sumUp([presentRefund(one), ...made.filter((other) => other.id !== one.id)])
  return { ...progress, refundedMinor: progress.refundedMinor + unlistedMinor, amountMinor }
}

function apiOf({ RAZORPAY_KEY_ID: id, RAZORPAY_KEY_SECRET: secret, RAZORPAY_API_URL }: Settings) {
  const credentials = Buffer.from(`${id}:${secret}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}` }
  const address = `${RAZORPAY_API_URL || 'https://api.razorpay.com'}/v1`
  return { label: 'Razorpay', address, headers, refusalOf }
}

const modeOf = ({ RAZORPAY_KEY_ID: id, RAZORPAY_KEY_SECRET: secret }: Settings) => {
  if (!id || !secret) return null
  return id.startsWith('rzp_test_') ? 'test' : 'live'
}

export const razorpay = provider({
  name: 'razorpay',
  label: 'Razorpay',
  settings: SETTINGS,
  rules: {
    'RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET must be set together.': (c) =>
      Boolean(c.RAZORPAY_KEY_ID) !== Boolean(c.RAZORPAY_KEY_SECRET),
    ...addressRules('RAZORPAY_API_URL', 'RAZORPAY_KEY_SECRET'),
  },
  modeOf,
  signs: { live: 'RAZORPAY_KEY_ID is a live key', test: 'RAZORPAY_KEY_ID is a test key' },
  setUp: 'RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET',
  keys: [
    {
      name: 'RAZORPAY_KEY_ID',
      label: 'Razorpay key id',
      hint: 'Live or test. Empty: no payments.',
    },
    { name: 'RAZORPAY_KEY_SECRET', label: 'Razorpay key secret', isSecret: true },
    {
      name: 'RAZORPAY_WEBHOOK_SECRET',
      label: 'Razorpay webhook secret',
      hint: 'The webhook of the Razorpay dashboard leads to /api/v1/payment/webhook/razorpay at your address. Without it, the shop asks Razorpay about each payment.',
      isSecret: true,
    },
  ],
  webhookSetting: 'RAZORPAY_WEBHOOK_SECRET',
  api: { setting: 'RAZORPAY_API_URL', host: 'api.razorpay.com' },
  pages: {
    hosts: ['https://*.razorpay.com'],
    // of UPI apps: on phones, Razorpay's frame opens the buyer's app by navigating to one
    frames: ['upi:', 'tez:', 'gpay:', 'phonepe:', 'paytmmp:', 'bhim:', 'credpay:'],
    payment: ['https://api.razorpay.com', 'https://checkout.razorpay.com'],
  },
  ping: (settings) => pingApi(apiOf(settings), 'orders?count=1'),
  async open(settings, environment) {
    const { RAZORPAY_KEY_ID: publicKey, RAZORPAY_KEY_SECRET: secret } = settings
    const mode = modeOf(settings)
    if (!mode || !publicKey || !secret) return null
    const call = openApi(environment, apiOf(settings))
    return {
      mode,
      publicKey,
      script: 'https://checkout.razorpay.com/v1/checkout.js',
      dashboardLink: (id) => `https://dashboard.razorpay.com/app/payments/${id}`,
      minimumMinor: (currency) => MINIMUM_MINOR[currency] ?? 1,
      // of dinars and rials Razorpay takes no third decimal: the last digit has to be 0
      stepMinor: (currency) => (decimalsOf(currency) === 3 ? 10 : 1),
      // in this currency Razorpay wants a new order for each attempt to pay
      allowsRetries: (currency) => currency !== 'MYR',
      async start({ amountMinor: amount, currency, receipt }) {
        const body = { amount, currency, receipt, payment: MANUAL }
        return (await call('orders', isOrder, { expected: { receipt }, body })).id
      },
      async lookUp({ id, amountMinor, currency }) {
        const path = `orders/${id}`
        const { items } = await call(`${path}/payments`, isPayments, { expected: { order_id: id } })
        if (items.length === 0) return { amountMinor, currency, payments: [] }
        const order = await call(path, isOrder, { expected: { id } })
        const isPaid = order.status === 'paid' || order.amount_paid >= order.amount
        const payments = items.flatMap((one) => presentPayment(one, { ...order, isPaid }))
        return { amountMinor: order.amount, currency: order.currency, payments }
      },
      async capture(id, { amountMinor: amount, currency }) {
        const expected = { id, status: 'captured' }
        await call(`payments/${id}/capture`, isPayment, { expected, body: { amount, currency } })
      },
      refund: (id, request) => refund(call, id, request),
      refunds: async (id) => sumUp(await refundsOf(call, id)),
      verify: ({ orderId, paymentId, signature }) =>
        isSigned(secret, Buffer.from(`${orderId}|${paymentId}`), signature),
      ...(settings.RAZORPAY_WEBHOOK_SECRET && {
        readEvent: razorpayWebhook(settings.RAZORPAY_WEBHOOK_SECRET),
      }),
    }
  },
})
