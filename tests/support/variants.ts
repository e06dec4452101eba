import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { refreshListings } from '#app/products/server/variants/listing-store.ts'
import type { Database } from '#db/schema.ts'

/** Gives a product an option: its variant has the first value, and a new variant each other one, at the same price. */
export async function addOption(
  db: Database,
  product: { id: string },
  { name, values, quantity = 10 }: { name: string; values: string[]; quantity?: number },
): Promise<Record<string, string>> {
  const option = { product_id: product.id, slot: 1 }
  await db
    .insertInto('product_options')
    .values({ ...option, position: 1, name })
    .execute()
  const stored = values.map((value, position) => ({
    ...option,
    id: randomUUID(),
    position,
    name: value,
  }))
  await db.insertInto('option_values').values(stored).execute()
  const ids: Record<string, string> = {}
  for (const [at, value] of stored.entries()) {
    const { rows } = await sql<{ id: string }>`${
      at === 0
        ? sql`update variants set value1 = ${value.id}::uuid where product_id = ${product.id}::uuid returning id`
        : sql`insert into variants (id, product_id, position, value1, price_minor, quantity)
            select ${randomUUID()}::uuid, product_id, ${at}::integer, ${value.id}::uuid, price_minor, ${quantity}::integer
            from variants where product_id = ${product.id}::uuid and position = 0 returning id`
    }`.execute(db)
    ids[value.name] = rows[0]?.id ?? ''
  }
  await refreshListings(db, [product.id])
  return ids
}

/** Makes a variant the listed one of its product: it costs less than the others, by one minor unit. */
export async function makeListed(db: Database, id: string): Promise<void> {
  const { rows } = await sql<{ product_id: string }>`
    update variants set price_minor = lowest - 1
    from (select product_id as product, min(price_minor) as lowest from variants group by product_id) as lowest
    where id = ${id}::uuid and product = product_id returning product_id`.execute(db)
  await refreshListings(
    db,
    rows.map(({ product_id }) => product_id),
  )
}
