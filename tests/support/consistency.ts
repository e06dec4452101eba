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
  'an order whose payment was not captured': sql`
    select id from orders where not exists
      (select from provider_payments paid where paid.payment_id = orders.payment_id and state = 'captured')`,
  'an order that is a test where its payment is none, or the other way round': sql`
    select orders.id from orders join payments on payments.id = payment_id
    where orders.test <> payments.test`,
  'captured money without an order': sql`
    select id from provider_payments paid where state = 'captured' and not exists
      (select from orders where orders.payment_id = paid.payment_id)`,
  'a reservation of a settled payment': sql`
    select payment_id from reservations join payments on payments.id = payment_id
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
  'a category whose products were miscounted': sql`
    select category_id from
      (select category_id, price_band, products, in_stock from product_counts where products <> 0) c
      full join (select category_id, price_band(price_minor), count(*) as products,
          count(*) filter (where quantity > 0) as in_stock
        from products group by 1, 2) f using (category_id, price_band)
    where (c.products, c.in_stock) is distinct from (f.products, f.in_stock)`,
  'a slice of a list whose products were miscounted': sql`
    select list, level, slice, cell from (
      select list, level, slice, cell, sum(members) as members
      from product_slices cross join lateral unnest(cells) with ordinality as counted (members, cell)
      group by 1, 2, 3, 4 having sum(members) <> 0
    ) c
    full join (
      select list, level, number >> level as slice, price_band(price_minor) * 2 + 1 + (quantity > 0)::integer
        as cell, count(*) as members
      from products cross join (values (9), (14), (19)) as levels (level)
        cross join lateral (values (category_id), ('00000000-0000-0000-0000-000000000000')) as lists (list)
      group by 1, 2, 3, 4
    ) f using (list, level, slice, cell)
    where c.members is distinct from f.members`,
  'a block of prices whose products were miscounted, or that is too large': sql`
    select category_id, from_price, from_number from product_blocks full join (
      select category_id, from_price, from_number, count(*) as found,
        count(*) filter (where quantity > 0) as found_in_stock
      from products cross join lateral (
        select from_price, from_number from product_blocks as blocks
        where blocks.category_id = products.category_id
          and (from_price, from_number) <= (price_minor, number)
        order by from_price desc, from_number desc limit 1
      ) as block
      group by 1, 2, 3
    ) as f using (category_id, from_price, from_number)
    where (products, in_stock) is distinct from (coalesce(found, 0), coalesce(found_in_stock, 0))
      or products > 1000`,
  'a product that is in no block of prices': sql`
    select id from products where not exists (
      select from product_blocks as blocks where blocks.category_id = products.category_id
        and (from_price, from_number) <= (price_minor, number))`,
  'a move of a product that was never counted': sql`select category_id from product_moves`,
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
  'a user whose history ends with another role': sql`
    select id from users where is_admin is distinct from coalesce(${atTheEnd(
      sql`(select (after ->> 'is_admin')::boolean from ledger
        where object_id = users.id and coalesce(after, before) ? 'is_admin'
        order by id desc limit 1)`,
      sql`is_admin`,
    )}, false)`,
  'a product that is not found by its name': sql`
    select id from products left join search_entries as entry on entry.product_id = id
    where products.name_folded <> folded(name) or entry.name_folded is distinct from folded(name)
      or entry.category_id <> products.category_id or entry.price_minor <> products.price_minor
      or entry.in_stock <> (quantity > 0) or entry.number <> products.number or entry.terms <> terms_of(
        name, description, products.category_id, products.price_minor, entry.number)`,
  'an entry of the search without its product': sql`
    select product_id from search_entries where product_id not in (select id from products)`,
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
