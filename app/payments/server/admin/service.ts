/** Seeing to payments promises that what a person is done with says so, and is never lost of sight. */
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { isHere, markDoubtful, markUnknown } from './seen-store.ts'

/**
 * Says that a person has seen to money that the shop can do nothing about, and what they say of it.
 * Throws `not_found` for a payment that nobody has heard of, `conflict` for one that needs nobody.
 */
export const seeTo = (db: Database, actor: Actor, seen: { id: string; note: string }) =>
  inTransaction(db, actor, async (tx) => {
    if ((await markDoubtful(tx, seen)) || (await markUnknown(tx, seen))) return
    if (!(await isHere(tx, seen.id))) throw notFound('There is no such payment.')
    throw conflict('This payment needs nobody: the shop sees to it, or it is done with.')
  })
