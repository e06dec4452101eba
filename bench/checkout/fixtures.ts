/** A shop with much stock, and customers who are signed in. */
import { type Kysely, sql } from 'kysely'
import { openSession } from '#app/accounts/server/sessions.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Schema } from '#db/schema.ts'

/** Numbers of products and buyers: four digits each, so that a script can replace one by another. */
export const FIRST = 1000
export const LAST = 1999
export const PRICE_MINOR = 1250
/** Buyers who take turns on a connection: nobody buys twice at the same time. */
export const BUYERS_EACH = 15

export const productId = (number: number | string) => `00000000-0000-7000-8000-00000000${number}`
export const buyerId = (number: number | string) => `00000000-0000-7000-8002-00000000${number}`

/** Each buyer has another address. */
export const networkOf = (third: number | string, fourth: number | string) =>
  `10.7.${third}.${fourth}`
const NETWORKS = 250
export const networkOfBuyer = (number: number) =>
  networkOf(Math.floor(number / NETWORKS), number % NETWORKS)
/** The two numbers of a buyer's network as expressions of pgbench. */
export const NETWORK_OF_BUYER = { third: `:buyer / ${NETWORKS}`, fourth: `:buyer % ${NETWORKS}` }

export type Buyer = { number: number; token: string }

const insertProducts = (tx: Database) =>
  sql`
  with category as (
    insert into categories (id, name, name_key, slug)
    values (gen_random_uuid(), 'Goods', 'goods', 'goods') returning id
  ),
  products as (
    insert into products (id, name, slug, description, category_id, listed_variant_id)
    select (${productId('')} || n)::uuid, 'Golden Cedar Lamp', 'lamp-' || n,
      'A lamp of cedar, golden in colour, made by hand in a small workshop.', category.id, gen_random_uuid()
    from category, generate_series(${FIRST}::integer, ${LAST}::integer) as n
    returning id, listed_variant_id
  )
  insert into variants (id, product_id, price_minor, quantity)
  select listed_variant_id, id, ${PRICE_MINOR}::integer, 1000000 from products`.execute(tx)

const insertBuyers = (tx: Database) =>
  sql`
  insert into users (id, name, email, email_key, password_hash, answer_hash, phone, address)
  select (${buyerId('')} || n)::uuid, 'Asha Rao', address, address, '-', '-',
    '555 0100', '1 Market Lane'
  from generate_series(${FIRST}::integer, ${LAST}::integer) as n,
    concat('buyer-', n, '@example.com') as address`.execute(tx)

/** Fills an empty shop with products and signed-in buyers. */
export async function addFixtures(db: Kysely<Schema>): Promise<Buyer[]> {
  await inTransaction(db, OWNER, async (tx) => {
    await insertProducts(tx)
    await sql`select refresh_listing(array(select id from products))`.execute(tx)
    await insertBuyers(tx)
  })
  const buyers: Buyer[] = []
  for (let number = FIRST; number <= LAST; number++) {
    const token = await openSession(db, { id: buyerId(number), password_hash: '-' })
    buyers.push({ number, token })
  }
  await sql`vacuum analyze`.execute(db)
  return buyers
}

/** A cart of two products, with its amount. */
export const cartOf = (first: number, second: number) => ({
  amount: 2 * PRICE_MINOR,
  cart: [{ _id: productId(first) }, { _id: productId(second) }],
})
