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

/** Look-ups in the admin's list: whether a payment is among the voided ones, and whether no refund is open. */
function paymentsLookup(environment: Environment) {
  const call = clientOf(() => environment.addresses[0] ?? '')
  const { token } = environment.database.population.admin
  const list = async (state: PaymentState, page = 1) => {
    const path = `/payment/payments?state=${state}&page=${page}`
    const { status, body } = await call<ListedPayment[]>('GET', path, { token })
    return status === 200 ? body : null
  }
  const isEmpty = async (state: PaymentState) => (await list(state))?.length === 0
  const voided = new Set<string>()
  return {
    areRefundsDone: async () => (await isEmpty('refund_pending')) && (await isEmpty('refunding')),
    async isVoided(id: string) {
      for (let page = 1; !voided.has(id); page += 1) {
        const found = await list('voided', page)
        if (!found || found.length === 0) break
        for (const { _id } of found) voided.add(_id)
      }
      return voided.has(id)
    },
  }
}

/**
 * Waits until every payment at the provider has its order, is refunded, or is authorised money that no order
 * wants, and the shop knows it.
 */
export function settlementOf(environment: Environment) {
  const isOrdered = orderLookup(environment)
  const { areRefundsDone, isVoided } = paymentsLookup(environment)
  const { account, webhooks } = environment.provider
  return async (seconds: number): Promise<string[]> => {
    await webhooks.whenDone()
    let open: string[] = []
    const isSettled = async () => {
      open = []
      for (const { id, status, amount } of account.payments.values()) {
        const refunded = account.refundedOf(id) === amount
        const hasOrder = status === 'captured' && (await isOrdered(id))
        const isReleased = status === 'authorized' && (await isVoided(id))
        if (!refunded && !hasOrder && !isReleased) open.push(id)
      }
      return open.length === 0 && (await areRefundsDone())
    }
    if (await waitUntil(seconds, isSettled)) return []
    return [
      `after ${seconds} s ${open.length} payments have neither an order nor a refund: ${open}, or the shop does not know of it`,
    ]
  }
}
