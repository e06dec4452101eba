/** Many concurrent buyers: free, reserved and sold pieces always add up. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { releaseExpired } from './reservations.ts'

const shop = testShop()
const { start, verify, cancel } = purchases(shop)
/** The embedded database runs one statement at a time anyway. */
const BUYERS = process.env.DATABASE_URL ? 40 : 12
/** Fewer pieces of each product than buyers. */
const INITIAL = BUYERS * 0.75

type Counts = { id: string; free: number; reserved: number; sold: number }

async function counts(): Promise<Counts[]> {
  const { rows } = await sql<Counts>`
    select id, quantity as free,
      (select coalesce(sum((line ->> 'quantity')::integer), 0)::integer
        from payments, jsonb_array_elements(quote -> 'lines') as line
        where state = 'created' and reserved_until is not null
          and line ->> 'product_id' = products.id::text) as reserved,
      (select coalesce(sum(line.quantity), 0)::integer from order_lines line
        where line.product_id = products.id) as sold
    from products order by id`.execute(shop.db)
  return rows
}

it('adds up while many buyers start, start again, pay, leave and run out of time', async () => {
  const category = await addCategory(shop.db, 'Kitchen')
  const products = await Promise.all(
    Array.from({ length: 4 }, () => addProduct(shop.db, { category, quantity: INITIAL })),
  )
  const cart = (n: number) => {
    const turned = [...products.slice(n % 4), ...products.slice(0, n % 4)]
    return cartOf(...(n % 2 ? turned : turned.toReversed()), ...turned.slice(0, n % 3))
  }
  const shopping = async (n: number) => {
    const buyer = await addPerson(shop.db)
    const begin = (at: number) => start(buyer, { amount: 1250 * cart(at).length, cart: cart(at) })
    const first = await begin(n)
    const [second, third] = await Promise.all([begin(n + 1), begin(n + 2)])
    const paid = [first, second, third][n % 3]
    if (n % 4 === 0) await cancel(buyer, paid?.body.id)
    if (n % 5 === 0) {
      await shop.db
        .updateTable('payments')
        .set({ reserved_until: new Date(0) })
        .where('user_id', '=', buyer.id)
        .execute()
      await releaseExpired(shop.db)
    }
    const proof = signedPayment(paid?.body.id ?? '')
    const ends = n % 2 ? await Promise.all([verify(buyer, proof), verify(buyer, proof)]) : []
    return [first, second, third, ...ends].map(({ status }) => status)
  }
  const statuses = await Promise.all(Array.from({ length: BUYERS }, (_, n) => shopping(n)))
  // 400: a payment that was not started has no order to verify
  for (const status of statuses.flat()) expect([200, 400, 409]).toContain(status)
  expect(statuses.flat()).toContain(200)
  const found = await counts()
  expect(found.map(({ free, reserved, sold }) => free + reserved + sold)).toEqual(
    Array(4).fill(INITIAL),
  )
  expect(found.every(({ sold }) => sold > 0)).toBe(true)
})
