import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { seed } from './seed.ts'

let shop: OpenDatabase
beforeAll(async () => {
  shop = await openTestDatabase()
})
afterAll(() => shop.close())

const names = async () => {
  const { db } = shop
  const products = await db.selectFrom('products').orderBy('id').select(['name', 'slug']).execute()
  const users = await db.selectFrom('users').orderBy('id').select('email').execute()
  return { products: products.map(({ name }) => name), users: users.map(({ email }) => email) }
}

it('refuses orders in an empty shop', async () => {
  await expect(seed(shop.db, { orders: 1 })).rejects.toThrow('Orders need products and users')
})

it('adds the same ones on every machine, and others the next time', async () => {
  await seed(shop.db, { products: 3, users: 2 })
  expect(await names()).toEqual({
    products: ['Northern Clay Chair 1', 'Winter Hemp Cushion 2', 'Copper Stone Kite 3'],
    users: ['shopper-1@example.com', 'shopper-2@example.com'],
  })
  await seed(shop.db, { products: 1, users: 1 })
  const { products, users } = await names()
  expect(products).toHaveLength(4)
  expect(users).toContain('shopper-3@example.com')
})

it('adds orders with captured payments', async () => {
  const progress: number[] = []
  await seed(shop.db, { orders: 40 }, (_kind, done, total) => progress.push(done, total))
  expect(progress).toEqual([40, 40])
  expect(await shop.db.selectFrom('orders').select('id').execute()).toHaveLength(40)
  expect(await contradictionsIn(shop.db)).toEqual({})
})
