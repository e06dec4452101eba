/** Reconciliation promises that money is found at the provider although nobody reported it. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { Desk } from './desk.ts'
import type { ProviderPayment } from './providers/provider.ts'
import { doubtMoney, noteAsk, type Taken, takePaymentToAsk } from './reconciliation-store.ts'
import { completePayment } from './settlement.ts'

/** So many in one go; the rest waits for the next. */
const MOST_AT_ONCE = 100

/** Decides on everything that came in. */
async function complete(
  db: Database,
  desk: Desk,
  { providerOrderId, payments }: { providerOrderId: string; payments: ProviderPayment[] },
) {
  for (const { id: providerPaymentId, status, amountMinor, currency } of payments) {
    if (status !== 'captured') continue
    const paid = { amountMinor, currency }
    const claim = { providerOrderId, providerPaymentId, paid, reporter: SHOP }
    await completePayment(db, desk, claim).catch((error) => {
      // decided as well: it waits to be claimed, or goes back
      if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    })
  }
}

/** An order whose money never comes is the merchant's to stop: they are told, once. */
async function doubt(db: Database, { log }: Desk, paymentId: string, payments: ProviderPayment[]) {
  const lapsed = payments.filter(({ status }) => status === 'lapsed').map(({ id }) => id)
  const doubted = await inTransaction(db, SHOP, (tx) => doubtMoney(tx, paymentId, lapsed))
  for (const { id: providerPaymentId, state, doubt } of doubted) {
    if (state === 'kept' && doubt === 'lapsed')
      log.error({ paymentId, providerPaymentId }, 'the money of an order was never captured')
  }
}

/** What the merchant is told of an order that the provider will not tell of. */
const untold = ({ provider }: Desk, { public_key }: Taken, { message }: Failure) =>
  public_key === null || public_key === provider.publicKey
    ? message
    : `${message} It was started with the key ${public_key}.`

/** False when the provider does not answer now. */
async function ask(db: Database, desk: Desk, taken: Taken, providerOrderId: string) {
  const { retrySeconds } = desk
  try {
    const payments = await desk.provider.paymentsOf(providerOrderId)
    await complete(db, desk, { providerOrderId, payments })
    await doubt(db, desk, taken.id, payments)
    await noteAsk(db, taken, { retrySeconds, error: null })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'unavailable') return false
    await noteAsk(db, taken, { retrySeconds, error: untold(desk, taken, error) })
  }
  return true
}

/**
 * Asks the provider about payments whose time has come, and completes what was paid. Of one order
 * it may refuse to tell; stops as soon as it does not answer, and when told to.
 */
export async function reconcile(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  for (let asked = 0; asked < MOST_AT_ONCE && !stop?.aborted; asked += 1) {
    const taken = await takePaymentToAsk(db, desk.provider.name)
    if (!taken?.provider_order_id) return
    if (!(await ask(db, desk, taken, taken.provider_order_id))) return
  }
}
