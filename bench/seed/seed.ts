import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { hashPassword } from '#app/accounts/server/passwords.ts'
import { publishImport } from '#app/products/server/publish.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Schema } from '#db/schema.ts'
import { seedOrders } from './orders.ts'
import { seedCategories, seedProducts } from './products.ts'
import { seedUsers } from './users.ts'

const KINDS = ['products', 'users', 'orders'] as const
type Kind = (typeof KINDS)[number]

/** The numbers of rows to add. */
export type Amounts = Partial<Record<Kind, number>>

/** The rows `from` to `to` of those that end with `last` and are `count` together. */
export type Batch = { from: number; to: number; last: number; count: number }

/** Rows of a transaction. Each transaction counts all products and users once. */
const BATCH = 20_000

/** The number of rows seeded before, from which the next ones count on. */
async function seededBefore(db: Database, kind: Kind): Promise<number> {
  const fact = await db
    .selectFrom('shop_facts')
    .select('value')
    .where('key', '=', `seeded_${kind}`)
    .executeTakeFirst()
  return Number(fact?.value ?? 0)
}

const remember = (tx: Database, kind: Kind, count: number) =>
  tx
    .insertInto('shop_facts')
    .values({ key: `seeded_${kind}`, value: String(count) })
    .onConflict((fact) => fact.column('key').doUpdateSet({ value: String(count) }))
    .execute()

async function seedersOf(db: Database) {
  await inTransaction(db, OWNER, seedCategories)
  const hash = await hashPassword(randomUUID())
  return {
    products: seedProducts,
    users: (tx: Database, batch: Batch) => seedUsers(tx, batch, hash),
    orders: seedOrders,
  }
}

async function requireProductsAndUsers(db: Database) {
  const { rows } = await sql<{ ready: boolean }>`
    select exists (select from users where not is_admin)
      and exists (select from products where list_price_minor > 0) as ready`.execute(db)
  if (!rows[0]?.ready) throw new Error('Orders need products and users: seed those, too.')
}

/**
 * Adds many products, customers and orders for tests and benchmarks. They are the same on every
 * machine, but for their dates, which end now. These customers cannot sign in. `progress` is called
 * with the number of rows of a kind. Throws when there are orders to add, but no product or no user.
 */
export async function seed(
  db: Kysely<Schema>,
  amounts: Amounts,
  progress: (kind: Kind, done: number, total: number) => void = () => {},
): Promise<void> {
  const seeders = await seedersOf(db)
  for (const kind of KINDS) {
    const count = amounts[kind] ?? 0
    if (count === 0) continue
    if (kind === 'orders') await requireProductsAndUsers(db)
    const before = await seededBefore(db, kind)
    const last = before + count
    for (let from = before + 1; from <= last; from += BATCH) {
      const to = Math.min(from + BATCH - 1, last)
      await inTransaction(db, OWNER, async (tx) => {
        await seeders[kind](tx, { from, to, last, count })
        await remember(tx, kind, to)
      })
      progress(kind, to - before, count)
    }
  }
  await publishImport(db)
  // the planner needs statistics of the new rows; the embedded database has no autovacuum
  await sql`vacuum analyze`.execute(db)
}
