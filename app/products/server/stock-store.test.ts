import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { changeStock } from './stock-store.ts'

const shop = testShop()

type Updates = { all: number; hot: number }

it('a sale that leaves a piece is a heap-only update: it writes to no index', async () => {
  const category = await addCategory(shop.db, 'Cups')
  const { id } = await addProduct(shop.db, { category, quantity: 3 })
  const updates = await shop.db.transaction().execute(async (tx) => {
    await changeStock(tx, [{ id, pieces: 1 }])
    const { rows } = await sql<Updates>`
      select n_tup_upd::integer as all, n_tup_hot_upd::integer as hot
      from pg_stat_xact_user_tables where relname = 'products'`.execute(tx)
    return rows
  })
  expect(updates).toEqual([{ all: 1, hot: 1 }])
})
