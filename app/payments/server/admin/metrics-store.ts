import { sql } from 'kysely'
import { PAYMENT_STATES } from '#app/payments/admin-contract.ts'
import { countBy } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** The number of payments in each state of the back office's list but `paid`, which all others are. */
export async function countPaymentsByState(db: Database): Promise<Record<string, number>> {
  const none = PAYMENT_STATES.filter((state) => state !== 'paid').map((state) => [state, 0])
  const counts = await countBy(db.selectFrom('payment_exceptions'), 'state')
  return { ...Object.fromEntries(none), ...counts }
}

/** The number of payments that need attention, by state; a state without any is absent. */
export const countPaymentsNeedingAttention = (db: Database): Promise<Record<string, number>> =>
  countBy(db.selectFrom('payments_needing_attention'), 'state')

/** The number of reservations that are active, and of those that are to be released. */
export async function countReservations(
  db: Database,
): Promise<{ active: number; expired: number }> {
  const { rows } = await sql<{ active: number; expired: number }>`
    select count(*) filter (where reserved_until > now())::integer as active,
      count(*) filter (where reserved_until <= now())::integer as expired
    from payments where state = 'open'`.execute(db)
  return rows[0] ?? { active: 0, expired: 0 }
}
