import { sql } from 'kysely'
import { PAYMENT_STATES } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'

/** The number of payments in each state of the back office's list but `paid`, which all others are. */
export async function countPaymentsByState(db: Database): Promise<Record<string, number>> {
  const counts = await db
    .selectFrom('payment_exceptions')
    .groupBy('state')
    .select(['state', sql<number>`count(*)::integer`.as('payments')])
    .execute()
  const none = PAYMENT_STATES.filter((state) => state !== 'paid').map((state) => [state, 0])
  return Object.fromEntries([...none, ...counts.map(({ state, payments }) => [state, payments])])
}

/** The number of payments that need attention, by state; a state without any is absent. */
export async function countPaymentsNeedingAttention(db: Database): Promise<Record<string, number>> {
  const counts = await db
    .selectFrom('payments_needing_attention')
    .groupBy('state')
    .select(['state', sql<number>`count(*)::integer`.as('payments')])
    .execute()
  return Object.fromEntries(counts.map(({ state, payments }) => [state, payments]))
}

/** The number of reservations that are active, and of those that are to be released. */
export async function countReservations(
  db: Database,
): Promise<{ active: number; expired: number }> {
  const { rows } = await sql<{ active: number; expired: number }>`
    select count(*) filter (where reserved_until > now())::integer as active,
      count(*) filter (where reserved_until <= now())::integer as expired
    from payments where state = 'created' `.execute(db)
  return rows[0] ?? { active: 0, expired: 0 }
}
