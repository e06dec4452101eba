import Razorpay from 'razorpay'
import { isTestKey } from '#app/payments/contract.ts'
import type { Log } from '#app/shared/server/domain-module.ts'
import { conflict, notFound, unavailable } from '#app/shared/server/failure.ts'
import type {
  Amount,
  OrderRequest,
  PaymentProvider,
  ProviderOrder,
  ProviderPayment,
} from './provider.ts'
import { razorpayRefunds } from './razorpay-refunds.ts'
import { isSigned } from './signature.ts'
import { verifyResponse } from './verify-response.ts'

const TIMEOUT_MS = 10_000
const RETRY_SECONDS = 30

/** The smallest amount of Razorpay's orders and refunds, in minor units of every currency that the shop can charge. */
const MINIMUM_MINOR = 100

/** In this currency Razorpay wants a new order for each attempt to pay. */
const ONE_ATTEMPT = 'MYR'

/** Authorised payments are captured automatically in time; later ones are refunded. */
const CAPTURE = {
  capture: 'automatic' as const,
  capture_options: {
    automatic_expiry_period: 12,
    manual_expiry_period: 7200,
    refund_speed: 'normal' as const,
  },
}

/** As of the SDK's HTTP client. */
export type HttpAdapter = (request: {
  method?: string
  url?: string
  params?: Record<string, string>
  data?: string
  headers: object
}) => Promise<{ status: number; data: unknown }>

type Options = {
  keyId: string
  keySecret: string
  log: Log
  /** Another address than Razorpay's own, for tests and proxies. */
  apiUrl?: string | undefined
  timeoutMs?: number
  /** Sends the requests in place of the network, in tests. */
  adapter?: HttpAdapter
}

function openSdk({ keyId, keySecret, apiUrl, timeoutMs = TIMEOUT_MS, adapter }: Options) {
  const sdk = new Razorpay({ key_id: keyId, key_secret: keySecret })
  // the SDK waits forever and offers no setting; its HTTP client has both, but no type
  const http: { defaults: { timeout: number; baseURL: string; adapter: unknown } } = Reflect.get(
    sdk.api,
    'rq',
  )
  http.defaults.timeout = timeoutMs
  if (apiUrl) http.defaults.baseURL = apiUrl
  if (adapter) http.defaults.adapter = adapter
  return sdk
}

type Refusal = {
  statusCode: number
  error: { code?: string; description?: string; field?: string }
}

/** Razorpay's response; null when the SDK threw without one. */
function refusalOf(thrown: unknown): Refusal | null {
  if (typeof thrown !== 'object' || thrown === null || !('statusCode' in thrown)) return null
  const error = 'error' in thrown && typeof thrown.error === 'object' ? thrown.error : {}
  return { statusCode: Number(thrown.statusCode), error: error ?? {} }
}

function unavailableFrom(log: Log, doing: string, refusal: Refusal | null, facts: object) {
  log.error(
    { ...facts, refusal },
    `Razorpay: ${doing} failed${refusal ? '' : ' without an answer'}`,
  )
  return unavailable('The payment provider does not answer. Try again in a minute.', RETRY_SECONDS)
}

/** Razorpay's words for an idempotency key that it knows with another amount: that refund was made. */
const KEY_IS_KNOWN = 'Different request with the same idempotency key has already been processed.'

/**
 * Whether the refusal concerns the requested thing only: neither the keys nor the rate, nor an earlier
 * request that is still in progress (409) or was processed.
 */
const isAboutOne = (refusal: Refusal | null) =>
  refusal !== null &&
  refusal.statusCode >= 400 &&
  refusal.statusCode < 500 &&
  ![401, 409, 429].includes(refusal.statusCode) &&
  refusal.error.description !== KEY_IS_KNOWN

/** As `unavailableFrom`, with Razorpay's message where there is one: only admins read it. */
function refused(log: Log, doing: string, refusal: Refusal | null, facts: object) {
  const failure = unavailableFrom(log, doing, refusal, facts)
  const { description } = refusal?.error ?? {}
  if (isAboutOne(refusal)) return notFound(description ?? failure.message)
  return description ? unavailable(description, RETRY_SECONDS) : failure
}

const NOT_TAKEN = 'The payment provider does not take this payment.'

async function createOrder(sdk: Razorpay, log: Log, order: OrderRequest): Promise<string> {
  const { amountMinor: amount, currency, receipt } = order
  try {
    const opened = await sdk.orders.create({ amount, currency, receipt, payment: CAPTURE })
    const { id } = verifyResponse(opened, { receipt })
    if (typeof id === 'string' && id !== '') return id
    throw new Error('The answer contains no order.')
  } catch (thrown) {
    const refusal = refusalOf(thrown)
    const failure = unavailableFrom(log, 'creating an order', refusal, { receipt })
    if (!isAboutOne(refusal)) throw failure
    const { description = '' } = refusal?.error ?? {}
    throw conflict(`${NOT_TAKEN} ${description}`.trim())
  }
}

/** A failed request about one order: `not_found` when only that order was refused. */
function failureOf(log: Log, doing: string, thrown: unknown, providerOrderId: string) {
  const refusal = refusalOf(thrown)
  if (!isAboutOne(refusal)) return unavailableFrom(log, doing, refusal, { providerOrderId })
  log.warn({ providerOrderId, refusal }, `Razorpay: ${doing} was refused`)
  return notFound(refusal?.error.description ?? `Razorpay answered ${refusal?.statusCode}.`)
}

async function orderOf(sdk: Razorpay, log: Log, providerOrderId: string): Promise<ProviderOrder> {
  try {
    const order = verifyResponse(await sdk.orders.fetch(providerOrderId), { id: providerOrderId })
    const { amount, currency, amount_paid, status } = order
    const isPaid = status === 'paid' || amount_paid >= Number(amount)
    return { amountMinor: Number(amount), currency, isPaid }
  } catch (thrown) {
    throw failureOf(log, 'asking for an order', thrown, providerOrderId)
  }
}

async function capture(sdk: Razorpay, log: Log, id: string, { amountMinor, currency }: Amount) {
  try {
    const captured = await sdk.payments.capture(id, amountMinor, currency)
    return verifyResponse(captured, { id }).status === 'captured'
  } catch (thrown) {
    log.warn({ providerPaymentId: id, refusal: refusalOf(thrown) }, 'Razorpay: no capture yet')
    return false
  }
}

/** Razorpay's statuses; a payment that is only created is left out. */
const STATUSES: Record<string, ProviderPayment['status']> = {
  captured: 'captured',
  authorized: 'authorised',
  failed: 'failed',
  refunded: 'refunded',
}

async function paymentsOf(
  sdk: Razorpay,
  log: Log,
  providerOrderId: string,
): Promise<ProviderPayment[]> {
  try {
    const { items } = await sdk.orders.fetchPayments(providerOrderId)
    return items.flatMap((item) => {
      const {
        id,
        amount,
        currency,
        status: said,
        captured,
        amount_refunded = 0,
      } = verifyResponse(item, { order_id: providerOrderId })
      const status = said === 'refunded' && !captured ? 'released' : STATUSES[said]
      const refundedMinor = Number(amount_refunded)
      return status ? [{ id, amountMinor: Number(amount), currency, refundedMinor, status }] : []
    })
  } catch (thrown) {
    throw failureOf(log, 'asking for payments', thrown, providerOrderId)
  }
}

/** Payments by Razorpay, through its official SDK. */
export function razorpay(options: Options): PaymentProvider {
  const { keyId, keySecret, log } = options
  const sdk = openSdk(options)
  const fail = (doing: string, thrown: unknown, facts: object) =>
    refused(log, doing, refusalOf(thrown), facts)
  return {
    name: 'razorpay',
    mode: isTestKey(keyId) ? 'test' : 'live',
    publicKey: keyId,
    checkoutScript: 'https://checkout.razorpay.com/v1/checkout.js',
    minimumMinor: () => MINIMUM_MINOR,
    allowsRetries: (currency) => currency !== ONE_ATTEMPT,
    paymentLink: (id) => `https://dashboard.razorpay.com/app/payments/${id}`,
    createOrder: (order) => createOrder(sdk, log, order),
    verifySignature({ razorpay_order_id, razorpay_payment_id, razorpay_signature }) {
      // the SDK compares with ===, which is not constant-time
      const signed = Buffer.from(`${razorpay_order_id}|${razorpay_payment_id}`)
      return isSigned([keySecret], signed, razorpay_signature)
    },
    paymentsOf: (providerOrderId) => paymentsOf(sdk, log, providerOrderId),
    capture: (id, amount) => capture(sdk, log, id, amount),
    orderOf: (providerOrderId) => orderOf(sdk, log, providerOrderId),
    ...razorpayRefunds(sdk, fail),
  }
}
