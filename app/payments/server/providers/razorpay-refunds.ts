import type Razorpay from 'razorpay'
import type { Refunds } from 'razorpay/dist/types/refunds.js'
import type { PaymentProvider, RefundProgress } from './provider.ts'
import { verifyResponse } from './verify-response.ts'

/** The largest page; a payment has fewer refunds. */
const PAGE = 100

type Refund = Refunds.RazorpayRefund

const sumOf = (refunds: Refund[]) => refunds.reduce((sum, { amount = 0 }) => sum + amount, 0)

/** Sums up refunds, of which the newest is the first. Any other status than processed or failed is pending. */
function sumUp(refunds: Refund[]): RefundProgress {
  const notFailed = refunds.filter(({ status }) => status !== 'failed')
  const refundedMinor = sumOf(notFailed.filter(({ status }) => status === 'processed'))
  const pendingMinor = sumOf(notFailed) - refundedMinor
  const failedId = refunds[0]?.status === 'failed' ? refunds[0].id : undefined
  return { refundedMinor, pendingMinor, refundId: notFailed[0]?.id ?? null, failedId }
}

/** The refunds of one payment, the newest first. */
async function refundsOf(sdk: Razorpay, payment_id: string): Promise<Refund[]> {
  const { items } = await sdk.payments.fetchMultipleRefund(payment_id, { count: PAGE })
  return items.map((item) => verifyResponse(item, { payment_id }))
}

/** Turns what the SDK threw into a failure, and logs it. */
type Fail = (doing: string, thrown: unknown, facts: object) => Error

/** Razorpay's refunds. Razorpay accepts a refund and reports its success later. */
export function razorpayRefunds(
  sdk: Razorpay,
  fail: Fail,
): Pick<PaymentProvider, 'refund' | 'refundProgress'> {
  return {
    async refund(providerPaymentId, { inAllMinor }) {
      try {
        const payment = await sdk.payments.fetch(providerPaymentId)
        const amountMinor = Number(verifyResponse(payment, { id: providerPaymentId }).amount)
        const made = await refundsOf(sdk, providerPaymentId)
        const { refundedMinor, pendingMinor } = sumUp(made)
        const amount = (inAllMinor ?? amountMinor) - refundedMinor - pendingMinor
        if (amount > 0) {
          const refund = await sdk.payments.refund(providerPaymentId, { amount })
          made.unshift(verifyResponse(refund, { payment_id: providerPaymentId }))
        }
        return { ...sumUp(made), amountMinor }
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
