import { type Kysely, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { seed } from '../seed/seed.ts'

const coupons = (rows: number) => sql`
  insert into coupons (id, code, percent, starts_at, ends_at, created_at, uses, max_uses)
  select gen_random_uuid(), 'CODE-' || n, 1 + n % 50,
    case when n % 10 = 0 then now() + interval '10 days' end,
    case when n % 10 > 6 then now() + (n % 60 - 50) * interval '1 day' end,
    now() - n * interval '1 minute', n % 17, case when n % 5 = 0 then 100 end
  from generate_series(1, ${sql.lit(rows)}) as n`

/** One of a hundred e-mails bounced, one of a thousand waits. */
const emails = (rows: number) => sql`
  with filled as materialized (
    select gen_random_uuid() as event_id, users.id as user_id, email, name, at, state
    from generate_series(1, ${sql.lit(rows)}) as n
    cross join lateral (
      select case when n % 100 = 0 then 'bounced' when n % 1000 = 1 then 'queued' else 'sent' end as state,
        now() - n * interval '1 minute' as at
    ) as facts
    join (select id, email, name, row_number() over (order by id) as number from users where not is_admin) as users
      on users.number = 1 + n % ${sql.lit(rows)}
  ),
  happened as (
    insert into events (id, kind, notify, facts, created_at)
    select event_id, 'order_sent', false, '{"number": 1, "status": "Shipped"}', at from filled
  )
  insert into emails (id, event_id, user_id, kind, recipient, name, created_at, state, next_attempt_at, sent_at, last_error)
  select gen_random_uuid(), event_id, user_id, 'status_changed', email, name, at, state,
    case when state = 'queued' then now() + interval '1 hour' end,
    case when state = 'sent' then at end, case when state = 'bounced' then 'User unknown' end
  from filled`

/** Of the cancelled orders most were delivered instead: about three of a hundred orders stay cancelled. */
const deliveries = sql`
  update orders set status = 'deliverd' where status = 'cancel' and number % 6 <> 0`

/** The money of cancelled orders was refunded, but for one of a thousand. */
const refunds = sql`
  insert into refunds (id, capture_id, amount_minor, reason, state, done_at)
  select gen_random_uuid(), captures.id, captures.amount_minor, 'As asked', 'done', now()
  from orders join captures on captures.payment_id = orders.payment_id
  where orders.status = 'cancel' and total_minor % 1000 > 0`

/** Fills an empty shop with so many products, customers, orders, discounts, e-mails and entries of the history. */
export async function fillLists(db: Kysely<Schema>, rows: number): Promise<void> {
  await seed(db, { products: rows, users: rows, orders: rows })
  await deliveries.execute(db)
  await refunds.execute(db)
  await coupons(rows).execute(db)
  await emails(rows).execute(db)
  await sql`vacuum analyze`.execute(db)
}
