import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Batch } from './seed.ts'
import { hashed, idAt } from './words.ts'

const n = sql`n`
const sides = (count: number) => sql<number>`${sql.lit(count)}`

/** Spread evenly over the last ninety days. */
const moment = ({ last, count }: Batch) =>
  sql<Date>`date_trunc('second', now()) - (${last} - n) * (interval '90 days' / ${count}::integer)`

/** Orders of random customers, in a table of the transaction. */
const draftOrders = (batch: Batch) => sql`
  create temporary table draft_orders on commit drop as
  with buyers as (
    select id, name, row_number() over (order by id) - 1 as number, count(*) over () as count
    from users where not is_admin
  ),
  drafts as (
    select n, ${moment(batch)} as created_at
    from generate_series(${sql.lit(batch.from)}, ${sql.lit(batch.to)}) as n
  )
  select n, created_at, ${idAt(sql`created_at`, n, 'order')} as id,
    ${idAt(sql`created_at`, n, 'payment')} as payment_id,
    buyers.id as user_id, buyers.name as buyer_name
  from drafts
  join buyers on number = ${hashed(n, 'buyer', sql`(select min(count) from buyers)`)}`

const GRAINS = 1_000_000

/** A product's number: a few products sell well, most sell rarely. */
const popular = sql`
  floor(power(${hashed(sql`n || '/' || position`, 'product', sides(GRAINS))} / ${sql.lit(GRAINS)}::float, 3)
    * (select min(count) from priced_products))::bigint`

/** Lines of the orders: one to four products with a price above 0, one or two pieces of each. */
const draftLines = sql`
  create temporary table draft_lines on commit drop as
  with priced_products as (
    select id, name, slug, description, list_price_minor as price_minor,
      row_number() over (order by id) - 1 as number, count(*) over () as count
    from products where list_price_minor > 0
  ),
  drawn as (
    select n, id as order_id, position,
      ${popular} as number,
      1 + ${hashed(sql`n || '/' || position`, 'pieces', sides(2))} as quantity
    from draft_orders, generate_series(0, ${hashed(n, 'lines', sides(4))}) as position
  ),
  distinct_products as (
    select distinct on (order_id, number) * from drawn order by order_id, number, position
  )
  select order_id, position, priced_products.id as product_id, quantity, name, slug, description,
    price_minor, 0 as discount_minor, 0 as tax_minor, null::integer as tax_rate
  from distinct_products join priced_products using (number)`

const payments = sql`
  insert into payments
    (id, user_id, provider, provider_order_id, state, amount_minor, currency, created_at, quote)
  select payment_id, user_id, 'sandbox', 'order_' || left(md5('order' || n), 14), 'paid', total, 'INR',
    created_at, jsonb_build_object('lines', lines, 'adjustments', '[]'::jsonb)
  from draft_orders, lateral (
    select sum(quantity * price_minor) as total,
      jsonb_agg(to_jsonb(draft_lines) - 'order_id' - 'position' order by position) as lines
    from draft_lines where order_id = id
  ) as cart`

const captures = sql`
  insert into captures
    (id, payment_id, provider, provider_payment_id, amount_minor, currency, received_at, confirmed_at, purpose)
  select payment_id, payment_id, provider, 'pay_' || left(md5('pay' || n), 14), amount_minor, currency,
    payments.created_at, payments.created_at, 'order'
  from draft_orders join payments on payments.id = payment_id`

const STATUSES = sql`(array['Not Process', 'Processing', 'Shipped', 'deliverd', 'deliverd', 'cancel'])`

const orders = sql`
  insert into orders
    (id, payment_id, user_id, buyer_name, buyer_email, buyer_phone, buyer_address,
      status, total_minor, currency, created_at)
  select draft_orders.id, payment_id, draft_orders.user_id, buyer_name, email, phone, address,
    ${STATUSES}[1 + ${hashed(n, 'status', sides(6))}], amount_minor, currency, draft_orders.created_at
  from draft_orders
    join payments on payments.id = payment_id
    join users on users.id = draft_orders.user_id
  order by n`

const lines = sql`
  insert into order_lines
    (order_id, position, product_id, quantity, name, slug, description, price_minor)
  select order_id, position, product_id, quantity, name, slug, description, price_minor
  from draft_lines order by order_id, position`

/** Deliveries of the stock that is sold. */
const deliveries = sql`
  insert into audit_log (action, table_name, row_id, before, after)
  select 'update', 'products', product_id, '{"quantity": 0}',
    jsonb_build_object('quantity', sum(quantity))
  from draft_lines group by product_id`

const invoices = sql`insert into invoices_due (order_id) select id from draft_orders`

/** Orders of the shop's customers for the shop's products. */
export async function seedOrders(tx: Database, batch: Batch) {
  await draftOrders(batch).execute(tx)
  await draftLines.execute(tx)
  await sql`create index on draft_lines (order_id)`.execute(tx)
  for (const statement of [payments, captures, orders, lines, deliveries, invoices])
    await statement.execute(tx)
}
