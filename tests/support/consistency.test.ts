import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addCategory, addProduct } from './catalogue.ts'
import { contradictionsIn } from './consistency.ts'
import { cartOf, purchases, signedPayment } from './payments.ts'
import { addPerson, type Person } from './people.ts'
import { testShop } from './shop.ts'

const shop = testShop()
const { start, verify } = purchases(shop)

let admin: Person
let product: { id: string }
let order: { _id: string }

beforeAll(async () => {
  const category = await addCategory(shop.db, 'Kitchen')
  admin = await addPerson(shop.db, { admin: true })
  product = await addProduct(shop.db, { category })
  const { body } = await start(admin, { amount: 1250, cart: cartOf(product) })
  order = (await verify(admin, signedPayment(body.id))).body.order
})

/** What is found once the entries of one object are lost that tell of one fact. */
async function foundWithout(id: string, fact: string): Promise<string[]> {
  const undone = new Error('as it was')
  let found: string[] = []
  await shop.db
    .transaction()
    .execute(async (tx) => {
      await sql`alter table ledger disable trigger user`.execute(tx)
      await sql`delete from ledger where object_id = ${id} and after ? ${sql.lit(fact)}`.execute(tx)
      found = Object.keys(await contradictionsIn(tx))
      throw undone
    })
    .catch((error) => expect(error).toBe(undone))
  return found
}

describe('a shop with its whole history', () => {
  it('contradicts itself nowhere', async () => {
    expect(await contradictionsIn(shop.db)).toEqual({})
  })
})

describe('a shop that has lost entries', () => {
  it('is found out by the stock of a product', async () => {
    const found = await foundWithout(product.id, 'quantity')
    expect(found).toEqual(['a product whose history ends with another stock'])
  })

  it.each([
    ['status', 'an order whose history ends with another status'],
    ['lines', 'an order whose history has other lines'],
  ])('is found out by the %s of an order', async (fact, what) => {
    expect(await foundWithout(order._id, fact)).toEqual([what])
  })

  it('is found out by the role of an admin', async () => {
    const found = await foundWithout(admin.id, 'is_admin')
    expect(found).toEqual(['a user whose history ends with another role'])
  })
})
