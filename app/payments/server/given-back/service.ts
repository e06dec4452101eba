/** What was given back promises that the shop knows of refunds that it has not asked for itself. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { Desk } from '../desk.ts'
import { selectGivenBack, setGivenBack } from './store.ts'

/** Longer than any shop is closed unnoticed, so that no refund is missed whose report was lost. */
const WINDOW_MS = 30 * 24 * 60 * 60 * 1000

/** What differs from what the shop knows. */
async function readDifferent(db: Database, { provider }: Desk): Promise<string[]> {
  const refunded = await provider.refundedSince(new Date(Date.now() - WINDOW_MS))
  const done = new Map(refunded.map((one) => [one.providerPaymentId, one.doneMinor]))
  const known = await selectGivenBack(db, provider.name, [...done.keys()])
  return known.filter((one) => one.given_back_minor !== done.get(one.id)).map(({ id }) => id)
}

/** Of one payment the provider may refuse to tell; the others are read all the same. */
async function readRefundsOf(db: Database, { provider }: Desk, id: string) {
  try {
    const { doneMinor } = await provider.givenBack(id)
    await inTransaction(db, SHOP, (tx) => setGivenBack(tx, id, doneMinor))
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
  }
}

/**
 * Reads at the provider what the merchant gave back there of money that is kept, or that is not
 * known here; until told to stop. Throws nothing of the provider's.
 */
export async function readRefunds(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  try {
    for (const id of await readDifferent(db, desk)) {
      if (stop?.aborted) return
      await readRefundsOf(db, desk, id)
    }
  } catch (error) {
    // the provider has logged why it does not answer
    if (!(error instanceof Failure)) throw error
  }
}
