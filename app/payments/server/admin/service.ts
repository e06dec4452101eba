import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { isKnown, markResolved } from './store.ts'

/**
 * Resolves an issue that the shop cannot resolve by itself. Idempotent; with another note it replaces
 * the note. Throws `not_found` for an unknown payment, `conflict` for one without such an issue.
 */
export const resolvePayment = (
  db: Database,
  actor: Actor,
  resolution: { id: string; note: string },
) =>
  inTransaction(db, actor, async (tx) => {
    if (await markResolved(tx, resolution)) return
    if (!(await isKnown(tx, resolution.id))) throw notFound('There is no such payment.')
    throw conflict('This payment needs no resolution: the shop handles it, or it is settled.')
  })
