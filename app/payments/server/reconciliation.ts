/** Reconciliation promises that money is found at the provider although nobody reported it. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import type { Desk } from './desk.ts'
import { noteAsk, stopAsking, takePaymentToAsk } from './reconciliation-store.ts'
import { completePayment } from './settlement.ts'

/** So many in one go; the rest waits for the next. */
const MOST_AT_ONCE = 100

type Asked = { id: string; providerOrderId: string }

/** False when the provider does not answer now. */
async function ask(db: Database, desk: Desk, { id, providerOrderId }: Asked): Promise<boolean> {
  const payments = await desk.provider.paymentsOf(providerOrderId).catch((error) => {
    if (error instanceof Failure) return null
    throw error
  })
  if (!payments) return false
  for (const { id: providerPaymentId, ...paid } of payments) {
    const claim = { providerOrderId, providerPaymentId, paid, reporter: SHOP }
    await completePayment(db, desk, claim).catch((error) => {
      // decided as well: it waits to be claimed, or goes back
      if (!(error instanceof Failure)) throw error
    })
  }
  await noteAsk(db, id, desk.retrySeconds)
  return true
}

/**
 * Asks the provider about payments that were started and are not settled, those whose time has
 * come, and completes what was paid. Stops as soon as the provider does not answer, and when told
 * to.
 */
export async function reconcile(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  await stopAsking(db)
  for (let asked = 0; asked < MOST_AT_ONCE && !stop?.aborted; asked += 1) {
    const taken = await takePaymentToAsk(db, desk.provider.name)
    if (!taken?.provider_order_id) return
    const payment = { id: taken.id, providerOrderId: taken.provider_order_id }
    if (!(await ask(db, desk, payment))) return
  }
}
