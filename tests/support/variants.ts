import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** Gives a product an option: its default variant has the first value, and a new variant each other one. */
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
        ? sql`update variants set value1 = ${value.id}::uuid
            where product_id = ${product.id}::uuid and is_default returning id`
        : sql`insert into variants (id, product_id, is_default, position, value1, price_minor, quantity)
            select ${randomUUID()}::uuid, id, false, ${at}::integer, ${value.id}::uuid, price_minor, ${quantity}::integer
            from products where id = ${product.id}::uuid returning id`
    }`.execute(db)
    ids[value.name] = rows[0]?.id ?? ''
  }
  return ids
}

/** Makes another variant the default one of its product. */
export const makeDefault = (db: Database, id: string) =>
  db.transaction().execute(async (tx) => {
    const chosen = await tx
      .selectFrom('sellables')
      .where('id', '=', id)
      .select(['product_id', 'price_minor', 'quantity'])
      .executeTakeFirstOrThrow()
    await sql`
      update variants set is_default = false, price_minor = products.price_minor, quantity = products.quantity
      from products where default_variant_id = variants.id and products.id = ${chosen.product_id}::uuid`.execute(
      tx,
    )
    await sql`
      update variants set is_default = true, price_minor = null, quantity = null where id = ${id}::uuid`.execute(
      tx,
    )
    await tx
      .updateTable('products')
      .set({ default_variant_id: id, price_minor: chosen.price_minor, quantity: chosen.quantity })
      .where('id', '=', chosen.product_id)
      .execute()
  })
