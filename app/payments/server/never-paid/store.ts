import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Ninety days, in hours, which are as long in every time zone. */
const LONG_AGO = sql`now() - interval '2160 hours'`

/**
 * Removes so many payments at most that were started long ago, that nobody is asked about any more,
 * that hold nothing and whose money was never heard of; answers how many. What somebody works on
 * stays for now.
 */
export async function deleteNeverPaid(tx: Database, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from payments where id in (
      select id from payments
      where created_at < ${LONG_AGO} and settled_at is null and next_ask_at is null
        and not exists (select from holds where payment_id = payments.id)
        and not exists (select from provider_payments where payment_id = payments.id)
        and not exists (select from sandbox_payments as paid
          where paid.provider_order_id = payments.provider_order_id)
      order by created_at limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows)
}
