/** A payment provider in memory. The shop's records of money must agree with it. */
import type { PaymentProof } from '#app/payments/contract.ts'
import type {
  PaymentProvider,
  ProviderPayment,
  RefundProgress,
} from '#app/payments/server/providers/provider.ts'
import { notFound, unavailable } from '#app/shared/server/failure.ts'

type Refund = { id: string; amountMinor: number; status: 'pending' | 'processed' | 'failed' }

/** A payment of an order at the provider. */
export type Money = {
  id: string
  orderId: string
  amountMinor: number
  status: 'authorised' | 'captured' | 'released'
  /** The newest first. */
  refunds: Refund[]
}

/** What may go wrong with a call: it does not arrive, or its answer is lost. */
export type Fault = 'none' | 'no request' | 'no answer'

const CURRENCY = 'INR'

const sumOf = (refunds: Refund[], status: Refund['status']) =>
  refunds
    .filter((refund) => refund.status === status)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)

export const refundedOf = ({ refunds }: Money): number => sumOf(refunds, 'processed')

const signatureOf = (orderId: string, paymentId: string) => `signed ${orderId} ${paymentId}`

export const proofOf = ({ id, orderId }: Pick<Money, 'id' | 'orderId'>): PaymentProof => ({
  razorpay_order_id: orderId,
  razorpay_payment_id: id,
  razorpay_signature: signatureOf(orderId, id),
})

const eventOf = (event: string, { id, orderId, amountMinor }: Money, refund?: Refund) => ({
  event,
  payload: {
    payment: { entity: { id, order_id: orderId, amount: amountMinor, currency: CURRENCY } },
    ...(refund && {
      refund: { entity: { id: refund.id, payment_id: id, amount: refund.amountMinor } },
    }),
  },
})

const progressOf = ({ refunds }: Money): RefundProgress => ({
  refundedMinor: sumOf(refunds, 'processed'),
  pendingMinor: sumOf(refunds, 'pending'),
  refundId: refunds.find(({ status }) => status !== 'failed')?.id ?? null,
  failedIds: refunds.filter(({ status }) => status === 'failed').map(({ id }) => id),
})

const statusOf = (money: Money): ProviderPayment['status'] => {
  const isRefunded = money.status === 'captured' && refundedOf(money) === money.amountMinor
  return isRefunded || money.status === 'released' ? 'refunded' : money.status
}

const listed = (money: Money): ProviderPayment => ({
  id: money.id,
  amountMinor: money.amountMinor,
  currency: CURRENCY,
  status: statusOf(money),
})

export type FakeProvider = ReturnType<typeof openProvider>

/** Opens the provider; `report` gets the events for its webhook. */
export function openProvider(report: (event: object) => void) {
  const orders = new Map<string, number>()
  const money = new Map<string, Money>()
  const refunds = { made: 0, failing: 0 }
  const moneyWith = (id: string) => {
    const found = money.get(id)
    if (!found) throw notFound('The provider has no such payment.')
    return found
  }

  const capture = (one: Money) => {
    one.status = 'captured'
    report(eventOf('payment.captured', one))
  }

  /** A buyer pays an order: the bank authorises it, and usually the provider captures it. */
  function pay(orderId: string, { moreMinor = 0, isCaptured = true } = {}): Money {
    const amountMinor = (orders.get(orderId) ?? 0) + moreMinor
    const id = `pay_${money.size + 1}`
    const one: Money = { id, orderId, amountMinor, status: 'authorised', refunds: [] }
    money.set(id, one)
    if (isCaptured) capture(one)
    return one
  }

  /** The bank ends the refunds that are pending, and the provider reports each. */
  function endRefunds() {
    for (const one of money.values()) {
      for (const refund of one.refunds.filter(({ status }) => status === 'pending')) {
        refund.status = refunds.failing > 0 ? 'failed' : 'processed'
        refunds.failing -= 1
        report(eventOf(`refund.${refund.status}`, one, refund))
      }
    }
  }

  /** The bank releases the money that was not captured. */
  function endAuthorisations() {
    for (const one of money.values()) if (one.status === 'authorised') one.status = 'released'
  }

  function acceptRefund(one: Money, amountMinor: number) {
    const requested = sumOf(one.refunds, 'processed') + sumOf(one.refunds, 'pending')
    if (one.status !== 'captured' || requested + amountMinor > one.amountMinor)
      throw notFound('The provider refuses this refund.')
    refunds.made += 1
    one.refunds.unshift({ id: `rfnd_${refunds.made}`, amountMinor, status: 'pending' })
  }

  /** The provider as one process uses it: a gate before each call, and a fault of some. */
  function providerOf(
    pass: (step: string) => Promise<void>,
    nextFault: () => Fault,
  ): PaymentProvider {
    const call = async <Answer>(step: string, work: () => Answer): Promise<Answer> => {
      await pass(`provider ${step}`)
      const fault = nextFault()
      if (fault === 'no request') throw unavailable('The provider was not reached.', 1)
      const answer = work()
      if (fault === 'no answer') throw unavailable('The provider did not answer.', 1)
      return answer
    }
    return {
      name: 'razorpay',
      mode: 'live',
      publicKey: 'key',
      checkoutScript: '',
      paymentLink: () => null,
      allowsRetries: () => true,
      verifySignature: (proof) =>
        proof.razorpay_signature ===
        signatureOf(proof.razorpay_order_id, proof.razorpay_payment_id),
      createOrder: ({ amountMinor }) =>
        call('createOrder', () => {
          const id = `order_${orders.size + 1}`
          orders.set(id, amountMinor)
          return id
        }),
      paymentsOf: (orderId) =>
        call('paymentsOf', () =>
          [...money.values()].filter((one) => one.orderId === orderId).map(listed),
        ),
      capture: (id) =>
        call('capture', () => {
          const one = moneyWith(id)
          if (one.status === 'authorised') capture(one)
          return one.status === 'captured'
        }),
      orderOf: (orderId) =>
        call('orderOf', () => ({
          amountMinor: orders.get(orderId) ?? 0,
          currency: CURRENCY,
          // as with a fee of the provider, whose order is paid with its own amount
          isPaid: [...money.values()].some(
            (one) => one.orderId === orderId && one.amountMinor === orders.get(orderId),
          ),
        })),
      async refund(id, { inAllMinor }) {
        const { amountMinor, done } = await call('reads refunds', () => ({
          amountMinor: moneyWith(id).amountMinor,
          done: progressOf(moneyWith(id)),
        }))
        const missing = (inAllMinor ?? amountMinor) - done.refundedMinor - done.pendingMinor
        if (missing > 0) await call('refund', () => acceptRefund(moneyWith(id), missing))
        return { ...progressOf(moneyWith(id)), amountMinor }
      },
      refundProgress: (id) => call('refundProgress', () => progressOf(moneyWith(id))),
    }
  }

  return { orders, money, refunds, pay, endRefunds, endAuthorisations, providerOf }
}
