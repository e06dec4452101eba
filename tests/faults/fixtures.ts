import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '#db/schema.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'

export type Shopper = { id: string; token: string }
/** A product and its initial stock. */
export type Goods = { _id: string; price: number; initial: number }

export type Population = {
  shoppers: Shopper[]
  admin: Shopper
  goods: Goods[]
  /** Products with few left, for the long and the short form. */
  last: Record<keyof typeof LAST_QUANTITIES, Goods>
}

const SHOPPERS = 1000
/** The quantities of products with few left. */
export const LAST_QUANTITIES = { long: 100, short: 20 }
/** Only the first product sells out during a run. */
const STOCK = [40, ...Array<number>(7).fill(100_000)]
const WEEK_MS = 7 * 24 * 60 * 60 * 1000

async function addShoppers(db: Database, count: number, is_admin: boolean): Promise<Shopper[]> {
  const shoppers = Array.from({ length: count }, () => ({
    id: uuidv7(),
    token: randomBytes(32).toString('base64url'),
  }))
  await db
    .insertInto('users')
    .values(
      shoppers.map(({ id }) => ({
        id,
        name: 'Asha Rao',
        email: `${id}@example.com`,
        email_key: `${id}@example.com`,
        password_hash: '-',
        answer_hash: '-',
        phone: '555 0100',
        address: '1 Market Lane',
        is_admin,
      })),
    )
    .execute()
  await db
    .insertInto('sessions')
    .values(
      shoppers.map(({ id, token }) => ({
        token_hash: createHash('sha256').update(token).digest(),
        user_id: id,
        expires_at: new Date(Date.now() + WEEK_MS),
      })),
    )
    .execute()
  return shoppers
}

/** Inserts signed-in people and products. */
export async function populate(db: Database): Promise<Population> {
  const category = await addCategory(db, 'Kitchen')
  const add = async (name: string, quantity: number): Promise<Goods> => {
    const { id, price_minor } = await addProduct(db, { category, name, quantity })
    return { _id: id, price: price_minor, initial: quantity }
  }
  const goods: Goods[] = []
  for (const [n, quantity] of STOCK.entries()) goods.push(await add(`Cup ${n}`, quantity))
  const shoppers = await addShoppers(db, SHOPPERS, false)
  const [admin] = await addShoppers(db, 1, true)
  if (!admin) throw new Error('There is no admin.')
  const long = await add('The last ones', LAST_QUANTITIES.long)
  const last = { long, short: await add('The last few', LAST_QUANTITIES.short) }
  return { shoppers, admin, goods, last }
}
