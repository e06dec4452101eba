import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/**
 * How many payments are in each state but `kept`, which are the orders, unless the provider speaks
 * against them. Each is counted in an index that holds only those.
 */
export async function countPaymentsByState(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; payments: number }>`
    select state, count(*)::integer as payments from provider_payments
      where state <> 'kept' group by state
    union all
    select doubt, count(*)::integer from provider_payments
      where doubt is not null and state = 'kept'
        and (doubt <> 'paid_cancelled' or given_back_minor < amount_minor)
        and seen_to_at is null
      group by doubt
    union all
    select 'unknown', count(*)::integer from unknown_money
      where given_back_minor < amount_minor and seen_to_at is null
        and id not in (select id from provider_payments where id = unknown_money.id)
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
