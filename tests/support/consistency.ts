import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/**
 * What the history of a thing ends with, and null, which is distinct from anything, where it has
 * none; but what is older than the ledger is as it is, for it may have none.
 */
const atTheEnd = (last: RawBuilder<unknown>, present: RawBuilder<unknown>) => sql`
  coalesce(${last}, case
    when created_at < (select coalesce(min(at), 'infinity') from ledger) then ${present}
  end)`

const LINES = sql`
  (select jsonb_agg(pieces(product_id, name, quantity, price_minor) order by position)
    from order_lines where order_id = orders.id)`

/** What must never be found in a shop, however it came about. */
const NEVER: Record<string, RawBuilder<unknown>> = {
  'an order without lines, or whose lines are another sum': sql`
    select id from orders where total_minor is distinct from
      (select sum(quantity * price_minor) from order_lines where order_id = orders.id)`,
  'an order whose payment is not settled': sql`
    select orders.id from orders join payments on payments.id = payment_id where settled_at is null`,
  'an order for whose payment no money was kept': sql`
    select id from orders where not exists
      (select from provider_payments kept where kept.payment_id = orders.payment_id and state = 'kept')`,
  'an order that is a test where its payment is none, or the other way round': sql`
    select orders.id from orders join payments on payments.id = payment_id
    where orders.test <> payments.test`,
  'money that was kept for no order': sql`
    select id from provider_payments kept where state = 'kept' and not exists
      (select from orders where orders.payment_id = kept.payment_id)`,
  'a hold of a payment that is settled': sql`
    select payment_id from holds join payments on payments.id = payment_id
    where settled_at is not null`,
  'a status whose orders were miscounted': sql`
    select status from (select status, test, sum(orders) as orders from order_counts group by 1, 2) counted
      full join (select status, test, count(*) as orders from orders group by 1, 2) found
        using (status, test)
    where coalesce(counted.orders, 0) <> coalesce(found.orders, 0)`,
  'a day whose sales were miscounted': sql`
    select day from
      (select day, test, sum(orders) as orders, sum(revenue_minor) as revenue from daily_sales
        where is_sale(status) group by 1, 2) c
      full join (select day_of(created_at) as day, test, count(*) as orders, sum(total_minor) as revenue
        from orders where is_sale(status) group by 1, 2) f using (day, test)
    where (coalesce(c.orders, 0), coalesce(c.revenue, 0))
      <> (coalesce(f.orders, 0), coalesce(f.revenue, 0))`,
  'a product whose sales were miscounted': sql`
    select product_id from
      (select day, product_id, pieces, revenue_minor from daily_product_sales) c
      full join (select day_of(created_at) as day, product_id, sum(quantity) as pieces,
          sum(quantity::bigint * price_minor) as revenue
        from order_lines join orders on orders.id = order_id
        where is_sale(status) and not test group by 1, 2) f using (day, product_id)
    where (coalesce(c.pieces, 0), coalesce(c.revenue_minor, 0))
      <> (coalesce(f.pieces, 0), coalesce(f.revenue, 0))`,
  'a buyer whose spending was miscounted': sql`
    select user_id from user_sales c full join
      (select user_id, count(*) as orders, sum(total_minor) as spent from orders
        where is_sale(status) and not test group by 1) f using (user_id)
    where (coalesce(c.orders, 0), coalesce(c.spent_minor, 0))
      <> (coalesce(f.orders, 0), coalesce(f.spent, 0))`,
  'a product that runs low unnoticed': sql`
    select id from products full join running_low on product_id = id
    where case when products.quantity <= 5 then products.quantity end
      is distinct from running_low.quantity`,
  'an address of a product that leads elsewhere': sql`
    select id from products left join product_slugs using (slug) where product_id is distinct from id`,
  'a product whose history ends with another stock': sql`
    select id from products where quantity is distinct from ${atTheEnd(
      sql`(select (after ->> 'quantity')::integer from ledger
        where object_id = products.id and after ? 'quantity' order by id desc limit 1)`,
      sql`quantity`,
    )}`,
  'an order whose history ends with another status': sql`
    select id from orders where status is distinct from ${atTheEnd(
      sql`(select after ->> 'status' from ledger
        where object_id = orders.id and after ? 'status' order by id desc limit 1)`,
      sql`status`,
    )}`,
  'an order whose history has other lines': sql`
    select id from orders where ${LINES} is distinct from ${atTheEnd(
      sql`(select after -> 'lines' from ledger
        where object_id = orders.id and after ? 'lines' order by id desc limit 1)`,
      LINES,
    )}`,
  'a hold whose history has ended, or never began': sql`
    select payment_id from holds where 'delete' = coalesce((
      select action from ledger where object_id = payment_id and object_kind = 'hold'
      order by id desc limit 1), 'delete')`,
  'a user whose history ends with another role': sql`
    select id from users where is_admin is distinct from coalesce(${atTheEnd(
      sql`(select (after ->> 'is_admin')::boolean from ledger
        where object_id = users.id and coalesce(after, before) ? 'is_admin'
        order by id desc limit 1)`,
      sql`is_admin`,
    )}, false)`,
}

/** Where the shop contradicts itself, with the rows that do; nowhere, as it should be: `{}`. */
export async function contradictionsIn(db: Database): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [what, query] of Object.entries(NEVER)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) found[what] = rows
  }
  return found
}
