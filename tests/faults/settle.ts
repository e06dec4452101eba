import { setTimeout } from 'node:timers/promises'
import type { Order } from '#app/orders/contract.ts'
import type { ListedPayment, PaymentState } from '#app/payments/admin-contract.ts'
import { clientOf } from '#tests/support/api-client.ts'
import type { Environment } from './environment.ts'

const POLL_MS = 100

/** Waits for a condition; false when it is not met in time. */
export async function waitUntil(
  seconds: number,
  isMet: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000
  while (!(await isMet())) {
    if (performance.now() > deadline) return false
    await setTimeout(POLL_MS)
  }
  return true
}

/** Whether the admin's list of orders has one for a payment. */
function orderLookup(environment: Environment) {
  const known = new Set<string>()
  const call = clientOf(() => environment.addresses[0] ?? '')
  const { token } = environment.database.population.admin
  return async (id: string) => {
    if (known.has(id)) return true
    const { status, body } = await call<Order[]>('GET', `/auth/all-orders?q=${id}`, { token })
    if (status !== 200 || body.length === 0) return false
    known.add(id)
    return true
  }
}

/** Whether the admin's list has no refund that is pending or in progress. */
function refundsLookup(environment: Environment) {
  const call = clientOf(() => environment.addresses[0] ?? '')
  const { token } = environment.database.population.admin
  const isEmpty = async (state: PaymentState) => {
    const path = `/payment/payments?state=${state}`
    const { status, body } = await call<ListedPayment[]>('GET', path, { token })
    if (status !== 200) return false
    return body.length === 0
  }
  return async () => (await isEmpty('refund_pending')) && (await isEmpty('refunding'))
}

/** Waits until every payment at the provider has its order or is refunded, and the shop knows it. */
export function settlementOf(environment: Environment) {
  const isOrdered = orderLookup(environment)
  const areRefundsDone = refundsLookup(environment)
  const { account, webhooks } = environment.provider
  return async (seconds: number): Promise<string[]> => {
    await webhooks.whenDone()
    let open: string[] = []
    const isSettled = async () => {
      open = []
      for (const { id, status, amount } of account.payments.values()) {
        const refunded = account.refundedOf(id) === amount
        const hasOrder = status === 'captured' && (await isOrdered(id))
        if (!refunded && !hasOrder) open.push(id)
      }
      return open.length === 0 && (await areRefundsDone())
    }
    if (await waitUntil(seconds, isSettled)) return []
    return [
      `after ${seconds} s ${open.length} payments have neither an order nor a refund: ${open}, or the shop does not know of it`,
    ]
  }
}
