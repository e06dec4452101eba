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

/** The number to add of each kind. */
export type Amounts = Partial<Record<Kind, number>>

/** The rows `from` to `to` of `count` rows, the last of which is `last`. */
export type Batch = { from: number; to: number; last: number; count: number }

/** Rows per transaction: many, because each counts all products and users first. */
const BATCH = 20_000

/** How many were seeded before, so that the next ones are different. */
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

async function insertersOf(db: Database) {
  await inTransaction(db, OWNER, seedCategories)
  const hash = await hashPassword(randomUUID())
  return {
    products: seedProducts,
    users: (tx: Database, batch: Batch) => seedUsers(tx, batch, hash),
    orders: seedOrders,
  }
}

async function requireGoodsAndBuyers(db: Database) {
  const { rows } = await sql<{ ready: boolean }>`
    select exists (select from users where not is_admin)
      and exists (select from products where price_minor > 0) as ready`.execute(db)
  if (!rows[0]?.ready) throw new Error('Orders need products and users: seed those, too.')
}

/**
 * Adds many products, customers and orders for tests and benchmarks. They are deterministic, except
 * that their dates end now. These customers cannot log in. `progress` is called with the number of
 * rows of a kind. Throws when orders have no products or no customers.
 */
export async function seed(
  db: Kysely<Schema>,
  amounts: Amounts,
  progress: (kind: Kind, done: number, total: number) => void = () => {},
): Promise<void> {
  const insert = await insertersOf(db)
  for (const kind of KINDS) {
    const count = amounts[kind] ?? 0
    if (count === 0) continue
    if (kind === 'orders') await requireGoodsAndBuyers(db)
    const before = await seededBefore(db, kind)
    const last = before + count
    for (let from = before + 1; from <= last; from += BATCH) {
      const to = Math.min(from + BATCH - 1, last)
      await inTransaction(db, OWNER, async (tx) => {
        await insert[kind](tx, { from, to, last, count })
        await remember(tx, kind, to)
      })
      progress(kind, to - before, count)
    }
  }
  await publishImport(db)
  // the planner would get statistics of a bulk insert only later, and the embedded database
  // has no autovacuum
  await sql`vacuum analyze`.execute(db)
}
