import { Failure } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import type { Desk } from '../desk.ts'
import { keepUnknown } from './service.ts'
import { selectNeverHeard } from './store.ts'

/** As far back as money is looked for whose report was lost, or heard by a database that is gone. */
const WINDOW_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Reads at the provider what came in, and keeps in sight what was never heard of here, as after the
 * restore of an older backup; until told to stop. Throws nothing of the provider's.
 */
export async function readCaptured(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  try {
    const captured = await desk.provider.capturedSince(new Date(Date.now() - WINDOW_MS))
    const ids = captured.map(({ id }) => id)
    const neverHeard = new Set(await selectNeverHeard(db, ids))
    for (const { id, ...money } of captured) {
      if (stop?.aborted) return
      if (!neverHeard.has(id)) continue
      await keepUnknown(db, desk, { ...money, providerPaymentId: id, receipt: null })
    }
  } catch (error) {
    // the provider has logged why it does not answer
    if (!(error instanceof Failure)) throw error
  }
}
