import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { addCategory } from '../support/catalogue.ts'

/** Words of all names, of half of them, of one in fifty and in five thousand, and one of its own. */
const NAME = sql`concat_ws(' ', 'Cup', case n % 2 when 0 then 'even' else 'odd' end,
  case when n % 50 = 0 then 'golden' end, case when n % 5000 = 1 then 'scarce' end,
  case when n % 3 = 0 then left(translate(md5(n::text), '0123456789', 'ghijklmnop'), 8) end)`

/** What the triggers would have written for the search. */
async function fillSearch(db: Database) {
  await sql`
    insert into search_entries
    select id, number, category_id, price_minor, in_stock, name_folded,
      terms_of(name, description, category_id, price_minor, number)
    from products order by number`.execute(db)
  await sql`
    insert into vocabulary (word, in_names, in_all)
    select word, coalesce(sum(products) filter (where is_in_name), 0), sum(products)
    from (select name, description, count(*) as products from products group by 1, 2) as alike
    cross join lateral words_with_place(name, description) group by word`.execute(db)
}

/**
 * Fills a shop with so many products in seconds: without triggers, and counted once. Half of them stand in one category; the rare ones are the oldest, and one a
 * thousand is in stock there.
 */
export async function fillCatalogue(db: Database, count: number) {
  const [large, rare, ...small] = [
    await addCategory(db, 'Large'),
    await addCategory(db, 'Rare'),
    ...(await Promise.all(Array.from({ length: 18 }, (_, at) => addCategory(db, `Small ${at}`)))),
  ]
  if (!large || !rare) throw new Error('Nothing was added.')
  await sql`drop index products_by_name_trigrams`.execute(db)
  await sql`alter table products disable trigger user`.execute(db)
  const others = small.map(({ id }) => id)
  await sql`
    insert into products
      (id, name, slug, description, price_minor, quantity, category_id, number)
    select gen_random_uuid(), ${NAME}, 'cup-' || n, 'Holds tea.', (n * 7919::bigint) % 14000, n % 10,
      case when n <= 40 then ${rare.id}::uuid
        when n % 2 = 0 then ${large.id}::uuid
        else (${others}::uuid[])[1 + n % ${sql.lit(others.length)}] end, n
    from generate_series(1, ${count}::integer) as n`.execute(db)
  await sql`alter table products enable trigger user`.execute(db)
  await sql`
    insert into product_photos
    select id, 320, 'jpeg', '' from products where number % 10 = 0`.execute(db)
  await sql`insert into product_slugs select slug, id from products`.execute(db)
  await sql`
    insert into product_moves (category_id, number, price_minor, in_stock, change, wakes)
    select category_id, number, price_minor, in_stock, 1, number = 1 from products`.execute(db)
  await sql`select setval('product_numbers', ${count}::integer)`.execute(db)
  await fillSearch(db)
  await sql`vacuum analyze`.execute(db)
  return { large, rare, small }
}
