import type Razorpay from 'razorpay'
import type { Refunds } from 'razorpay/dist/types/refunds.js'
import type { PaymentProvider, RefundProgress } from './provider.ts'
import { verifyResponse } from './verify-response.ts'

/** The largest page; a payment has fewer refunds. */
const PAGE = 100

type Refund = Refunds.RazorpayRefund

/** The SDK's HTTP client; it has no type. */
type HttpClient = {
  post(url: string, body: object, options: { headers: object }): Promise<{ data: Refund }>
}

const sumOf = (refunds: Refund[]) => refunds.reduce((sum, { amount = 0 }) => sum + amount, 0)

/** Sums up refunds, of which the newest is the first. Any other status than processed or failed is pending. */
function sumUp(refunds: Refund[]): RefundProgress {
  const notFailed = refunds.filter(({ status }) => status !== 'failed')
  const refundedMinor = sumOf(notFailed.filter(({ status }) => status === 'processed'))
  const pendingMinor = sumOf(notFailed) - refundedMinor
  const failedIds = refunds.filter(({ status }) => status === 'failed').map(({ id }) => id)
  return { refundedMinor, pendingMinor, refundId: notFailed[0]?.id ?? null, failedIds }
}

/** The refunds of one payment, the newest first. */
async function refundsOf(sdk: Razorpay, payment_id: string): Promise<Refund[]> {
  const { items } = await sdk.payments.fetchMultipleRefund(payment_id, { count: PAGE })
  return items.map((item) => verifyResponse(item, { payment_id }))
}

/** Throws what the SDK throws for a failed request. */
function rethrowAsSdk(error: { response?: { status: number; data?: { error?: object } } }): never {
  const { response } = error
  throw response ? { statusCode: response.status, error: response.data?.error } : error
}

type NewRefund = { amount: number; key: string }

/**
 * Makes a refund, or answers the one that the same request has made. The SDK drops the header with the
 * key, so its HTTP client is used. Razorpay refuses a known key with another amount: then the refund of an
 * earlier request was made, and its list lags behind.
 */
async function makeRefund(
  sdk: Razorpay,
  payment_id: string,
  { amount, key }: NewRefund,
): Promise<Refund> {
  const http: HttpClient = Reflect.get(sdk.api, 'rq')
  const headers = { 'X-Refund-Idempotency': key }
  const url = `/v1/payments/${encodeURIComponent(payment_id)}/refund`
  const { data } = await http.post(url, { amount }, { headers }).catch(rethrowAsSdk)
  return verifyResponse(data, { payment_id })
}

/** Turns what the SDK threw into a failure, and logs it. */
type Fail = (doing: string, thrown: unknown, facts: object) => Error

/** Razorpay's refunds. Razorpay accepts a refund and reports its success later. */
export function razorpayRefunds(
  sdk: Razorpay,
  fail: Fail,
): Pick<PaymentProvider, 'refund' | 'refundProgress'> {
  return {
    async refund(providerPaymentId, { totalRefundMinor, doneMinor, key }) {
      try {
        const payment = await sdk.payments.fetch(providerPaymentId)
        const amountMinor = Number(verifyResponse(payment, { id: providerPaymentId }).amount)
        const made = await refundsOf(sdk, providerPaymentId)
        const { refundedMinor, pendingMinor } = sumUp(made)
        // a refund that the shop knows of and the list does not have yet
        const unlistedMinor = Math.max(doneMinor - refundedMinor - pendingMinor, 0)
        const amount =
          (totalRefundMinor ?? amountMinor) - refundedMinor - pendingMinor - unlistedMinor
        if (amount <= 0) return { ...sumUp(made), amountMinor }
        const refund = await makeRefund(sdk, providerPaymentId, { amount, key })
        const progress = sumUp([refund, ...made.filter(({ id }) => id !== refund.id)])
        const refundedNow = progress.refundedMinor + unlistedMinor
        return { ...progress, refundedMinor: refundedNow, amountMinor }
      } catch (thrown) {
        throw fail('a refund', thrown, { providerPaymentId })
      }
    },
    async refundProgress(providerPaymentId) {
      try {
        return sumUp(await refundsOf(sdk, providerPaymentId))
      } catch (thrown) {
        throw fail('asking for refunds', thrown, { providerPaymentId })
      }
    },
  }
}
