import { setTimeout } from 'node:timers/promises'
import type { Order } from '#app/orders/contract.ts'
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

/** Waits until every payment that came in at the provider is an order or was given back. */
export function settlementOf(stage: Stage) {
  const isOrdered = orderBook(stage)
  const { books, messenger } = stage.provider
  return async (seconds: number): Promise<string[]> => {
    await messenger.whenDone()
    let open: string[] = []
    const isSettled = async () => {
      open = []
      for (const { id, status, refunded } of books.payments.values()) {
        const isKept = status === 'captured' && (await isOrdered(id))
        if (!refunded && !isKept) open.push(id)
      }
      return open.length === 0
    }
    if (await within(seconds, isSettled)) return []
    return [`after ${seconds} s ${open.length} payments are neither orders nor given back: ${open}`]
  }
}
