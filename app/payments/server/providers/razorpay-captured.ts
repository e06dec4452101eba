import type Razorpay from 'razorpay'
import { answered } from './answered.ts'
import type { CapturedPayment, Log, PaymentProvider } from './provider.ts'

const PAGE = 100
/** So many pages at most, the newest first. */
const MOST_PAGES = 100

type Fail = (doing: string, thrown: unknown, facts: object) => Error

type Payment = Awaited<ReturnType<Razorpay['orders']['fetchPayments']>>['items'][number]

/** What came in for an order; other ways of taking money have none. */
function captured({ id, order_id, amount, currency, status, created_at }: Payment) {
  if (status !== 'captured' || !order_id) return []
  const paid = { amountMinor: Number(amount), currency, paidAt: new Date(created_at * 1000) }
  return [{ id, providerOrderId: order_id, ...paid }]
}

/** All since then, page by page; one that moves to the next page meanwhile counts once. */
async function capturedSince(sdk: Razorpay, log: Log, from: number): Promise<CapturedPayment[]> {
  const found = new Map<string, CapturedPayment>()
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items } = await sdk.payments.all({ from, count: PAGE, skip: page * PAGE })
    for (const payment of items.flatMap(captured)) found.set(payment.id, payment)
    if (items.length < PAGE) return [...found.values()]
  }
  log.warn(
    { read: found.size },
    'Razorpay has more payments than are read; the oldest are left out',
  )
  return [...found.values()]
}

/** What Razorpay has taken, whoever asked for it. */
export const razorpayCaptured = (
  sdk: Razorpay,
  log: Log,
  fail: Fail,
): Pick<PaymentProvider, 'capturedSince' | 'receiptOf'> => ({
  async capturedSince(moment) {
    try {
      return await capturedSince(sdk, log, Math.floor(moment.getTime() / 1000))
    } catch (thrown) {
      throw fail('asking for all payments', thrown, {})
    }
  },
  async receiptOf(providerOrderId) {
    try {
      const order = await sdk.orders.fetch(providerOrderId)
      return answered(order, { id: providerOrderId }).receipt ?? null
    } catch (thrown) {
      throw fail('asking for a receipt', thrown, { providerOrderId })
    }
  },
})
