import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/**
 * How many payments are in each state but `kept`, which are the orders, unless they need attention.
 * Each is counted in an index that holds only those.
 */
export async function countPaymentsByState(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; payments: number }>`
    select state, count(*)::integer as payments from provider_payments
      where state not in ('kept', 'refund_due', 'unclaimed') group by state
    union all
    select state, count(*)::integer from payments_needing_attention group by state
    union all
    select 'started', count(*)::integer from payments
      where next_ask_at is not null and settled_at is null`.execute(db)
  const doubts = { unknown: 0, lapsed: 0, other_amount: 0, paid_cancelled: 0, uncaptured: 0 }
  const states = { unclaimed: 0, refund_due: 0, refunding: 0, refunded: 0, never_came: 0 }
  const none = { started: 0, ...states, ...doubts }
  return { ...none, ...Object.fromEntries(rows.map(({ state, payments }) => [state, payments])) }
}

/** How many holds keep pieces from others, and how many of them are to end; there are never many. */
export async function countHolds(db: Database): Promise<{ held: number; expired: number }> {
  const { rows } = await sql<{ held: number; expired: number }>`
    select count(*) filter (where expires_at > now())::integer as held,
      count(*) filter (where expires_at <= now())::integer as expired
    from holds`.execute(db)
  return rows[0] ?? { held: 0, expired: 0 }
}
