import type Razorpay from 'razorpay'
import type { Refunds } from 'razorpay/dist/types/refunds.js'
import { answered } from './answered.ts'
import type { GivenBack, PaymentProvider, Refunded } from './provider.ts'

/** The most that is answered at once, and more than a payment has. */
const PAGE = 100

type Refund = Refunds.RazorpayRefund

const sumOf = (refunds: Refund[]) => refunds.reduce((sum, { amount = 0 }) => sum + amount, 0)

/**
 * The sum of refunds, the newest of them first. Whatever is not said to be done or to have failed
 * may still be both.
 */
function sumUp(refunds: Refund[]): GivenBack {
  const standing = refunds.filter(({ status }) => status !== 'failed')
  const doneMinor = sumOf(standing.filter(({ status }) => status === 'processed'))
  const underWayMinor = sumOf(standing) - doneMinor
  const failedId = refunds[0]?.status === 'failed' ? refunds[0].id : undefined
  return { doneMinor, underWayMinor, refundId: standing[0]?.id ?? null, failedId }
}

/** The refunds of one payment, the newest first. */
async function refundsOf(sdk: Razorpay, payment_id: string): Promise<Refund[]> {
  const { items } = await sdk.payments.fetchMultipleRefund(payment_id, { count: PAGE })
  return items.map((item) => answered(item, { payment_id }))
}

/** All refunds since then, page by page; one that moves to the next page meanwhile counts once. */
async function refundsSince(sdk: Razorpay, from: number): Promise<Refund[]> {
  const found = new Map<string, Refund>()
  for (let skip = 0; ; skip += PAGE) {
    const { items } = await sdk.refunds.all({ from, count: PAGE, skip })
    for (const refund of items) found.set(refund.id, refund)
    if (items.length < PAGE) return [...found.values()]
  }
}

const sumByPayment = (refunds: Refund[]): Refunded[] =>
  [...Map.groupBy(refunds, ({ payment_id }) => payment_id)].map(([providerPaymentId, all]) => ({
    providerPaymentId,
    doneMinor: sumUp(all).doneMinor,
  }))

/** Makes of what the SDK threw a failure that says why, and logs it. */
type Fail = (doing: string, thrown: unknown, facts: object) => Error

/** Razorpay's refunds. It takes one on, and tells later whether it came through. */
export function razorpayRefunds(
  sdk: Razorpay,
  fail: Fail,
): Pick<PaymentProvider, 'refund' | 'givenBack' | 'refundedSince'> {
  return {
    async refund(providerPaymentId) {
      try {
        const payment = await sdk.payments.fetch(providerPaymentId)
        const amountMinor = Number(answered(payment, { id: providerPaymentId }).amount)
        const made = await refundsOf(sdk, providerPaymentId)
        const { doneMinor, underWayMinor } = sumUp(made)
        const amount = amountMinor - doneMinor - underWayMinor
        if (amount > 0) {
          const refund = await sdk.payments.refund(providerPaymentId, { amount })
          made.unshift(answered(refund, { payment_id: providerPaymentId }))
        }
        return { ...sumUp(made), amountMinor }
      } catch (thrown) {
        throw fail('a refund', thrown, { providerPaymentId })
      }
    },
    async refundedSince(moment) {
      try {
        return sumByPayment(await refundsSince(sdk, Math.floor(moment.getTime() / 1000)))
      } catch (thrown) {
        throw fail('asking for all refunds', thrown, {})
      }
    },
    async givenBack(providerPaymentId) {
      try {
        return sumUp(await refundsOf(sdk, providerPaymentId))
      } catch (thrown) {
        throw fail('asking for refunds', thrown, { providerPaymentId })
      }
    },
  }
}
