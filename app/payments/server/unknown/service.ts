/** Unknown money promises that what the provider has for an order that is not here is never forgotten. */

import { validate as isUuid } from 'uuid'
import { PROVIDER } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { Desk } from '../desk.ts'
import { completePayment } from '../settlement.ts'
import { selectPayment } from '../store.ts'
import { deleteUnknown, insertUnknown, selectNowKnown } from './store.ts'

/** So many in one go; the rest waits for the next. */
const MOST_AT_ONCE = 100

type Unknown = {
  providerPaymentId: string
  providerOrderId: string
  /** Our own id of the payment, as the provider remembers it. */
  receipt: string | null
  amountMinor: number
  currency: string
  paidAt: Date
}

/** What the provider calls the order of the money; undefined where it does not tell. */
async function receiptOf({ provider }: Pick<Desk, 'provider'>, { receipt, ...money }: Unknown) {
  if (receipt !== null) return receipt
  return provider.receiptOf(money.providerOrderId).catch((error) => {
    if (error instanceof Failure) return undefined
    throw error
  })
}

/**
 * Keeps money in sight whose order the shop does not know; the merchant hears of it. What is not
 * called as this shop calls its payments is of another one on the same account.
 */
export async function keepUnknown(
  db: Database,
  desk: Pick<Desk, 'provider' | 'log'>,
  money: Unknown,
): Promise<void> {
  const { provider, log } = desk
  const receipt = await receiptOf(desk, money)
  if (receipt === null || (receipt !== undefined && !isUuid(receipt))) {
    await inTransaction(db, PROVIDER, (tx) => deleteUnknown(tx, money.providerPaymentId))
    log.debug({ ...money, receipt }, 'money came in for an order of somebody else')
    return
  }
  const row = {
    ...{ id: money.providerPaymentId, provider: provider.name },
    ...{ provider_order_id: money.providerOrderId, receipt: receipt ?? null },
    ...{ amount_minor: money.amountMinor, currency: money.currency, paid_at: money.paidAt },
  }
  const isNew = await inTransaction(db, PROVIDER, (tx) => insertUnknown(tx, row))
  const isKnown = await selectPayment(db, money.providerOrderId)
  if (isNew && !isKnown) log.error(money, 'money came in for an order that is not known here')
}

/** Decides on money whose payment has become known, as if it was reported now; until told to stop. */
export async function settleKnown(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  for (const money of await selectNowKnown(db, desk.provider.name, MOST_AT_ONCE)) {
    if (stop?.aborted) return
    const { id: providerPaymentId, provider_order_id: providerOrderId, currency } = money
    const paid = { amountMinor: money.amount_minor, currency }
    const claim = { providerOrderId, providerPaymentId, paid, reporter: PROVIDER }
    await completePayment(db, desk, claim).catch((error) => {
      // what could not be decided on is booked by now, and asked about
      if (!(error instanceof Failure)) throw error
    })
  }
}
