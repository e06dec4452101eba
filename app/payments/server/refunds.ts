/** Refunds promise that money which bought nothing goes back, however often that has to be tried. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { PAYMENT_FAILED } from '../contract.ts'
import type { Desk } from './desk.ts'
import {
  claimRefund,
  markRefunded,
  noteFailedRefund,
  selectRefundsToTry,
  selectUnclaimed,
} from './refund-store.ts'
import { lockPaymentById, markSettled, type Refusal, refuseMoney } from './store.ts'

/** So many in one go; the rest waits for the next. */
const MOST_AT_ONCE = 100

/** What becomes of money that nobody could say the purpose of. */
const NEVER_CLAIMED: Refusal = {
  refusal_code: 'payment_failed',
  refusal: `${PAYMENT_FAILED}. Your money goes back to you.`,
}

/**
 * Gives money back that is due, for one taker at a time; what fails stays due and is tried again
 * after a pause. Throws nothing of the provider's.
 */
export async function giveBack(
  db: Database,
  { provider, log, retrySeconds }: Pick<Desk, 'provider' | 'log' | 'retrySeconds'>,
  providerPaymentId: string,
): Promise<void> {
  const due = await claimRefund(db, providerPaymentId)
  if (!due) return
  try {
    await provider.refund(providerPaymentId, due.amount_minor)
  } catch (error) {
    log.error({ err: error, providerPaymentId }, 'a refund failed and is still due')
    const why = error instanceof Error ? error.message : String(error)
    await noteFailedRefund(db, { id: providerPaymentId, error: why, retrySeconds })
    return
  }
  await markRefunded(db, providerPaymentId)
}

/** Tries every refund of the desk's provider whose time has come, until told to stop. */
export async function retryRefunds(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  const due = await selectRefundsToTry(db, desk.provider.name, MOST_AT_ONCE)
  for (const { id } of due) {
    if (stop?.aborted) return
    await giveBack(db, desk, id)
  }
}

/** Money of a payment without a cart that nobody claimed in time is to go back. */
export async function refuseUnclaimed(
  db: Database,
  { holdMinutes }: Pick<Desk, 'holdMinutes'>,
  stop?: AbortSignal,
): Promise<void> {
  for (const { id, paymentId } of await selectUnclaimed(db, holdMinutes, MOST_AT_ONCE)) {
    if (stop?.aborted) return
    await inTransaction(db, SHOP, async (tx) => {
      const payment = await lockPaymentById(tx, paymentId)
      const refused = await refuseMoney(tx, id, NEVER_CLAIMED)
      if (refused && payment && !payment.settled_at) await markSettled(tx, paymentId)
    })
  }
}
