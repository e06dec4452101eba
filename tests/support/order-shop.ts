import { afterEach, beforeAll, expect } from 'vitest'
import { addPerson, type Person } from './accounts.ts'
import { contradictionsIn } from './consistency.ts'
import { testShop } from './shop.ts'

/** A shop with an admin and a buyer, whose rows agree with each other after each test. */
export function orderShop() {
  const shop = testShop()
  const admin = {} as Person
  const buyer = {} as Person
  beforeAll(async () => {
    Object.assign(admin, await addPerson(shop.db, { admin: true }))
    Object.assign(buyer, await addPerson(shop.db))
  })
  afterEach(async () => expect(await contradictionsIn(shop.db)).toEqual({}))
  return { shop, admin, buyer }
}
