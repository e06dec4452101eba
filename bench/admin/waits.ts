/** Waits of guests and sales while an import runs in the same process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { importProducts } from '#app/products/server/csv/import.ts'
import { takeStock } from '#app/products/server/service.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { Schema } from '#db/schema.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'

export type Waits = {
  what: string
  seconds: number
  /**
   * The longest waits in milliseconds: of a guest's request for a page of products, and of a sale.
   */
  guestMs: number
  saleMs: number
}

/** Repeats an action until the import is over; returns the longest duration. */
async function longest(work: () => Promise<unknown>, isOver: () => boolean): Promise<number> {
  let most = 0
  while (!isOver()) {
    const start = performance.now()
    await work()
    most = Math.max(most, performance.now() - start)
    await sleep(10)
  }
  return most
}

const firstProduct = (db: Kysely<Schema>) =>
  db.selectFrom('products').orderBy('id').limit(1).select('id').executeTakeFirst()

/** Sells a piece and returns it to the stock. */
const sell = (db: Kysely<Schema>) => async () => {
  const product = await firstProduct(db)
  if (!product) return
  const line = { name: '', slug: '', description: '', price_minor: 1 }
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('products').set('quantity', 10).where('id', '=', product.id).execute()
    await takeStock(tx, [{ product_id: product.id, quantity: 1, ...line }])
  })
}

async function during(db: Kysely<Schema>, what: string, file: string): Promise<Waits> {
  const config = readConfig({ LOG_LEVEL: 'silent', SANDBOX_SECRET: '-' })
  const app = await createApp({ config, db })
  let isOver = false
  const start = performance.now()
  const work = importProducts(db, OWNER, {
    path: file,
    createCategories: true,
    progress: () => {},
  }).finally(() => {
    isOver = true
  })
  const [{ imported }, guestMs, saleMs] = await Promise.all([
    work,
    longest(
      () => app.inject('/api/v1/product/product-list/1'),
      () => isOver,
    ),
    longest(sell(db), () => isOver),
  ])
  const seconds = (performance.now() - start) / 1000
  if (!imported) throw new Error('The import was refused.')
  await app.close()
  return { what, seconds, guestMs, saleMs }
}

/**
 * Imports a file twice: as new products, while another product is sold; then with changes of all,
 * including the one sold.
 */
export async function measureWaits(db: Kysely<Schema>, file: string): Promise<Waits[]> {
  const created = await during(db, 'new', file)
  await sql`update products set price_minor = price_minor + 100`.execute(db)
  return [created, await during(db, 'changed', file)]
}
