import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import type { Database } from '#db/schema.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { onServer } from '#tests/support/database.ts'
import { testShop } from '#tests/support/shop.ts'
import { changeStock } from './stock-store.ts'

const shop = testShop()

async function waitingForLock(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Updates of products so far: earlier transactions of the connection may still be counted in. */
async function updatesOfProducts(tx: Database) {
  const { rows } = await sql<{ all: number; hot: number }>`
    select n_tup_upd::integer as all, n_tup_hot_upd::integer as hot
    from pg_stat_xact_user_tables where relname = 'products'`.execute(tx)
  return rows[0] ?? { all: 0, hot: 0 }
}

it('a sale that leaves a piece is a heap-only update: it writes to no index', async () => {
  const category = await addCategory(shop.db, 'Cups')
  const { id } = await addProduct(shop.db, { category, quantity: 3 })
  const { before, after } = await shop.db.transaction().execute(async (tx) => {
    const before = await updatesOfProducts(tx)
    await changeStock(tx, [{ id, quantity: 1 }])
    return { before, after: await updatesOfProducts(tx) }
  })
  expect({ all: after.all - before.all, hot: after.hot - before.hot }).toEqual({ all: 1, hot: 1 })
})

it.runIf(onServer)('a sale that waits for a return sees the returned piece', async () => {
  const category = await addCategory(shop.db, 'Bowls')
  const { id } = await addProduct(shop.db, { category, quantity: 0 })
  const { promise: isReturned, resolve: returned } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const giving = shop.db.transaction().execute(async (tx) => {
    await changeStock(tx, [{ id, quantity: -1 }])
    returned()
    await mayCommit
  })
  await isReturned
  const taking = changeStock(shop.db, [{ id, quantity: 1 }])
  await vi.waitUntil(async () => (await waitingForLock(shop.db)) > 0)
  commit()
  await giving
  expect(await taking).toEqual([{ id, product_id: id, quantity: 0, taken: 1 }])
})
