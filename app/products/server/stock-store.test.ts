import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Database } from '#db/schema.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { onServer } from '#tests/support/database.ts'
import { testShop } from '#tests/support/shop.ts'
import { variantCallsOf } from '#tests/support/variant-calls.ts'
import { changeStock } from './stock-store.ts'

const shop = testShop()

async function waitingForLock(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Updates of variants so far: earlier transactions of the connection may still be counted in. */
async function updatesOfVariants(tx: Database) {
  const { rows } = await sql<{ all: number; hot: number }>`
    select n_tup_upd::integer as all, n_tup_hot_upd::integer as hot
    from pg_stat_xact_user_tables where relname = 'variants'`.execute(tx)
  return rows[0] ?? { all: 0, hot: 0 }
}

it('a sale that leaves a piece is a heap-only update: it writes to no index', async () => {
  const category = await addCategory(shop.db, 'Cups')
  const { id } = await addProduct(shop.db, { category, quantity: 3 })
  const { before, after } = await shop.db.transaction().execute(async (tx) => {
    const before = await updatesOfVariants(tx)
    await changeStock(tx, [{ id, quantity: 1 }])
    return { before, after: await updatesOfVariants(tx) }
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
  await expect.poll(() => waitingForLock(shop.db)).toBeGreaterThan(0)
  commit()
  await giving
  expect(await taking).toEqual([{ id, product_id: id, quantity: 0, taken: 1 }])
})

it.runIf(onServer)(
  'a product is deleted while its variants are sold, without a deadlock',
  async () => {
    const { token } = await addPerson(shop.db, { admin: true })
    const { load, save } = variantCallsOf(shop, () => token)
    const category = await addCategory(shop.db, 'Plates')
    const { id } = await addProduct(shop.db, { category })
    const { variants } = await load(id)
    const standard = variants[0]
    if (!standard) throw new Error('The product has no variant.')
    // the one with the higher id comes first in the table and in the index of combinations
    const uuid = (prefix: string) => prefix + randomUUID().slice(prefix.length)
    const [low, high] = [uuid('1'), uuid('2')]
    const values = ['0', '1', '2'].map((prefix) => ({
      _id: uuid(prefix),
      name: prefix,
      swatch: null,
    }))
    const added = [high, low].map((_id, at) => {
      const { held: _, updatedAt: __, ...cells } = standard
      return { ...cells, _id, values: [values[at + 1]?._id ?? null, null, null] }
    })
    const to = [{ slot: 1, name: 'Size', values }]
    expect((await save(id, { options: { from: [], to }, added })).status).toBe(200)
    const { promise: isSelling, resolve: selling } = Promise.withResolvers<void>()
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const sale = shop.db.transaction().execute(async (tx) => {
      await changeStock(tx, [{ id: low, quantity: 1 }])
      selling()
      await mayGoOn
      await changeStock(tx, [{ id: high, quantity: 1 }])
    })
    await isSelling
    const deletion = shop.delete(`/product/delete-product/${id}`, { token })
    await expect.poll(() => waitingForLock(shop.db)).toBeGreaterThan(0)
    goOn()
    await sale
    expect((await deletion).status).toBe(200)
  },
)
