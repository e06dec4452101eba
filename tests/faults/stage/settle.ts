import { setTimeout } from 'node:timers/promises'
import type { Order } from '#app/orders/contract.ts'
import type { ListedPayment, PaymentState } from '#app/payments/admin-contract.ts'
import { clientOf } from '../buyers/client.ts'
import type { Stage } from './stage.ts'

const LOOK_MS = 100

/** Looks until it is so; answers false when it is not in time. */
export async function within(
  seconds: number,
  isSo: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000
  while (!(await isSo())) {
    if (performance.now() > deadline) return false
    await setTimeout(LOOK_MS)
  }
  return true
}

/** Whether the admin's list of orders has one for a payment. */
function orderBook(stage: Stage) {
  const known = new Set<string>()
  const call = clientOf(() => stage.addresses[0] ?? '')
  const { token } = stage.database.population.admin
  return async (id: string) => {
    if (known.has(id)) return true
    const { status, body } = await call<Order[]>('GET', `/auth/all-orders?q=${id}`, { token })
    if (status !== 200 || body.length === 0) return false
    known.add(id)
    return true
  }
}

/**
 * Whether the admin's list has no refund that is due or under way. What is to go back and was only
 * promised, its bank lets go of.
 */
function refundBook(stage: Stage) {
  const call = clientOf(() => stage.addresses[0] ?? '')
  const { token } = stage.database.population.admin
  const isEmpty = async (state: PaymentState) => {
    const path = `/payment/payments?state=${state}`
    const { status, body } = await call<ListedPayment[]>('GET', path, { token })
    if (status !== 200) return false
    for (const { _id } of body) stage.provider.books.letGo(_id)
    return body.length === 0
  }
  return async () => (await isEmpty('refund_due')) && (await isEmpty('refunding'))
}

/**
 * Waits until every payment that came in at the provider is an order or was given back, and the shop
 * knows that.
 */
export function settlementOf(stage: Stage) {
  const isOrdered = orderBook(stage)
  const areRefundsDone = refundBook(stage)
  const { books, messenger } = stage.provider
  return async (seconds: number): Promise<string[]> => {
    await messenger.whenDone()
    let open: string[] = []
    const isSettled = async () => {
      open = []
      for (const payment of books.payments.values()) {
        const { id, status, refunded } = payment
        if (books.isNobodys(payment)) continue
        const isKept = status === 'captured' && (await isOrdered(id))
        if (!refunded && !isKept) open.push(id)
      }
      return open.length === 0 && (await areRefundsDone())
    }
    if (await within(seconds, isSettled)) return []
    return [
      `after ${seconds} s ${open.length} payments are neither orders nor given back: ${open}, or the shop does not know of it`,
    ]
  }
}
