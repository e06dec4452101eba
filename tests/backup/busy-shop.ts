import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '../support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

/** Buys one piece of the product called Cup, for 10.00, and returns the id of the order. */
export async function buyCup(shop: TestShop): Promise<string> {
  const { start, verify } = purchases(shop)
  const buyer = await addPerson(shop.db)
  const cup = await shop.db
    .selectFrom('products')
    .select('id')
    .where('name', '=', 'Cup')
    .executeTakeFirstOrThrow()
  const { body } = await start(buyer, { amount: 1000, cart: cartOf(cup) })
  const { body: answer } = await verify(buyer, signedPayment(body.id), cartOf(cup))
  return answer.order._id
}

/** A shop in which cups are bought all the time. */
export async function openBusyShop(db: Kysely<Schema>) {
  const shop = await shopOn(db)
  const category = await addCategory(db, 'Tableware')
  const cup = await addProduct(db, { category, name: 'Cup', price: 10, quantity: 10_000 })
  await addPhoto(db, cup)
  /** The orders that buyers received. */
  const orders: string[] = []
  let isOpen = true
  const buyAll = async () => {
    while (isOpen) {
      orders.push(await buyCup(shop))
      // the embedded database answers without yielding to the event loop
      await setImmediate()
    }
  }
  const buying = buyAll()
  return {
    orders,
    close: async () => {
      isOpen = false
      await buying
      await shop.app.close()
    },
  }
}

export const orderIds = async (db: Kysely<Schema>) =>
  (await db.selectFrom('orders').select('id').execute()).map(({ id }) => id)

/** Checksums of every row of every table, except for sessions and the tokens of links. */
export async function checksums(db: Kysely<Schema>): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name } of await db.introspection.getTables()) {
    if (['sessions', 'account_tokens'].includes(name)) continue
    const { rows } = await sql<{ row: string }>`
      select md5(t::text) as row from ${sql.table(name)} t order by 1`.execute(db)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}
