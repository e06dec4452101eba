import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'

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
  'an address of a product that leads elsewhere': sql`
    select id from products left join product_slugs using (slug) where product_id is distinct from id`,
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
