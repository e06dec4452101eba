import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { givenMinor } from '#app/shared/server/input/given-money.ts'
import type { Database } from '#db/schema.ts'
import { isKnown, markResolved, selectPaymentOfOrder } from './store.ts'

/**
 * An amount of a request about an order (major units) in minor units. Throws `not_found` for an unknown order, and
 * `invalid` for more decimals than its currency has.
 */
export async function orderMinor(db: Database, orderId: string, amount: number): Promise<number> {
  const payment = await selectPaymentOfOrder(db, orderId).executeTakeFirst()
  if (!payment) throw notFound('There is no such order.')
  return givenMinor(amount, payment.currency, 'amount')
}

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
