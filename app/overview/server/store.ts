import { sql } from 'kysely'
import { UNDELIVERED_STATES } from '#app/emails/admin-contract.ts'
import { ORDER_VIEWS } from '#app/orders/server/views.sql.ts'
import { RUNNING_LOW, SOLD_OUT } from '#app/products/server/stock-levels.sql.ts'
import { dayOf, startOfDay } from '#app/shared/server/settings/day-store.ts'
import type { Database } from '#db/schema.ts'
import type { Waiting } from '../admin-contract.ts'

/** How many days an undelivered e-mail waits for somebody, today included. */
const DAYS = 7

/** How much waits for somebody. */
export async function selectWaiting(db: Database): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select
      (select count(*) from orders where ${ORDER_VIEWS.to_send})::integer as "ordersToSend",
      (select count(*) from payments_needing_attention)::integer as "paymentsInNeed",
      (select count(distinct id) from ${RUNNING_LOW} as low)::integer as "runningLow",
      (select count(distinct id) from ${SOLD_OUT} as sold_out)::integer as "soldOut",
      (select jsonb_build_object('emails', count(emails), 'since', since)
        from (select ${dayOf(sql`now()`)} - ${sql.lit(DAYS - 1)} as since) as first
          left join emails on state = any(${UNDELIVERED_STATES}) and created_at >= ${startOfDay(sql`since`)}
        group by since) as undelivered`.execute(db)
  const [waiting] = rows
  if (!waiting) throw new Error('The counts have no row.')
  return waiting
}
