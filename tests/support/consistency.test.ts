import { expect, it } from 'vitest'
import { addPerson } from './accounts.ts'
import { contradictionsIn } from './consistency.ts'
import { addOrder } from './orders.ts'
import { testShop } from './shop.ts'

const shop = testShop()

it('finds an order whose lines have another sum, and nothing in a shop that is right', async () => {
  const { id } = await addOrder(shop.db, await addPerson(shop.db))
  expect(await contradictionsIn(shop.db)).toEqual({})
  await shop.db.updateTable('orders').set({ total_minor: 1 }).where('id', '=', id).execute()
  expect(await contradictionsIn(shop.db)).toEqual({ order_total: [id], order_amount: [id] })
})
