import { takeStock } from '#app/products/server/service.ts'
import { settingOf } from '#app/settings/server/service.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import { slugify } from '#app/shared/server/slug.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Database } from '#db/schema.ts'
import { DEMO_ADMIN } from './accounts.ts'
import { newestFirst } from './catalogue.ts'
import { insertDocuments } from './insert-documents.ts'
import { insertCustomers, insertDiscounts, insertOrders } from './insert-orders.ts'
import { type PlannedOrder, planOrders } from './plan-orders.ts'

/** Exists from the loading of the demo until its orders are there. */
export const ORDERS_FACT = { key: 'demo_orders', value: 'missing' }

/** Products of which the demo has fewer are not sold by its orders. */
const MIN_STOCK = 30

/** The products that the orders sell: without sizes, shipped, and with plenty left. */
async function selectOffered(tx: Database) {
  const slugs = newestFirst()
    .filter(({ product }) => product.shipping && !product.sizes && product.quantity >= MIN_STOCK)
    .map(({ product }) => slugify(product.name))
  const rows = await tx
    .selectFrom('products')
    .innerJoin('variants', 'variants.id', 'listed_variant_id')
    .where('slug', 'in', slugs)
    .where('quantity', '>=', MIN_STOCK)
    .select(['products.id', 'name', 'slug', 'description', 'list_price_minor as price_minor'])
    .execute()
  return rows.sort((a, b) => slugs.indexOf(a.slug) - slugs.indexOf(b.slug))
}

/** The pieces that stay sold. */
const soldIn = (orders: PlannedOrder[]) =>
  orders
    .filter(({ moves }) => moves.at(-1)?.to !== 'cancel')
    .flatMap(({ lines }) =>
      lines.map(({ product: { id: product_id, name, price_minor }, quantity }) => ({
        product_id,
        name,
        price_minor,
        quantity,
      })),
    )

async function insertAll(tx: Database) {
  const admin = await tx
    .selectFrom('users')
    .where('email_key', '=', emailKey(DEMO_ADMIN.email))
    .select('id')
    .executeTakeFirst()
  const offered = await selectOffered(tx)
  if (!admin || offered.length === 0) return
  const orders = planOrders(offered, new Date())
  const customers = await insertCustomers(tx, orders)
  const currency = await settingOf(tx, 'currencyDisplay')
  const people = { customers, adminId: admin.id, currency }
  const coupons = await insertDiscounts(tx, orders)
  await insertOrders(tx, orders, people, coupons)
  await insertDocuments(tx, orders, { ...people, shopName: await settingOf(tx, 'name') })
  await takeStock(tx, soldIn(orders))
}

/**
 * Inserts the customers and orders of the demo while the shop is open, once, all or nothing. A demo whose
 * products or admin are gone gets none.
 */
export async function finishOrders({ db }: Pick<OpenDatabase, 'db'>): Promise<void> {
  await inTransaction(db, SHOP, async (tx) => {
    // of two processes one waits, and finds nothing to do
    const { numDeletedRows } = await tx
      .deleteFrom('shop_facts')
      .where('key', '=', ORDERS_FACT.key)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await insertAll(tx)
  })
}
