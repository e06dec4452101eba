/** Payments that were started and not paid. */
import { sql } from 'kysely'
import { variantOf } from '#app/products/server/service.ts'
import type { Database } from '#db/schema.ts'
import type { NewPayment } from './start-store.ts'

/**
 * The oldest reservation that yields to this payment: it has one of its variants or coupons, and is of a
 * network that starts payments and does not pay.
 */
export async function selectYielding(
  db: Database,
  { userId, quote }: NewPayment,
): Promise<string | undefined> {
  const variants = quote?.lines.map(variantOf) ?? []
  const discounts = quote?.adjustments.filter(({ kind }) => kind === 'discount') ?? []
  const { rows } = await sql<{ id: string }>`
    select id from yielding_reservations
    where user_id <> ${userId}::uuid and (
      exists (select from jsonb_array_elements(quote -> 'lines') as line
        where coalesce(line ->> 'variant_id', line ->> 'product_id') = any(${variants}::text[]))
      or exists (select from jsonb_array_elements(quote -> 'adjustments') as adjustment
        where adjustment ->> 'kind' = 'discount'
          and adjustment ->> 'source' = any(${discounts.map(({ source }) => source)}::text[])))
    order by reserved_until limit 1`.execute(db)
  return rows[0]?.id
}

/** Longer than any bank or provider takes to report a success, and than the polls of a payment. */
const KEPT_FOR = sql`interval '14 days'`

/** Rows that one statement deletes, so that it locks few. */
const BATCH = 500

/**
 * Deletes payments that were started and never paid, when no poll of them is left, with their quotes;
 * answers how many. Money that still comes in for one of them is money for an unknown order.
 */
export async function deleteNeverPaid(db: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from payments where id in (
      select id from payments as started
      where coalesce(reserved_until, created_at) < now() - ${KEPT_FOR}
        and next_attempt_at is null and due_at is null
        and (state in ('expired', 'cancelled') or state = 'open' and reserved_until is null)
        and not exists (select from captures where payment_id = started.id)
      limit ${BATCH}
      for update skip locked)`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the networks of buyers after a day. */
export const forgetNetworks = (db: Database) =>
  sql`update payments set network = null, networks = null
    where network is not null and reserved_until < now() - interval '24 hours'`.execute(db)
