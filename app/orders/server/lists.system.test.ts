/**
 * Lists of the largest possible orders: their answers are bounded, and other requests do not wait.
 */
import { setImmediate } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { LIST_PAGE_SIZE } from '#app/shared/contract/fields.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'
import { yardstick } from '#tests/support/yardstick.ts'
import { MAX_DESCRIPTION, type Order } from '../contract.ts'

// 10,000 lines have to be written first
vi.setConfig({ testTimeout: 180_000 })

const QUANTITY = 200
const MAX_BYTES = 2_000_000
/** How long the event loop may be blocked, as a multiple of fixed work. */
const MAX_BLOCKED = 16
/** The shortest duration: a busy machine can make any one of them longer. */
const TRIES = 3

const shop = testShop()

/** The longest time that the event loop may be blocked, in ms of this thread's CPU time. */
async function blockedBy(work: () => Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  let max = 0
  while (!isDone) {
    const before = process.threadCpuUsage()
    await setImmediate()
    const { user, system } = process.threadCpuUsage(before)
    max = Math.max(max, (user + system) / 1000)
  }
  await done
  return max
}

const listed = (path: string, token: string) => shop.get<Order[]>(path, { token })

/** The answers of both lists, and their longest blocking of the event loop. */
async function expectBounded(owner: Person, admin: Person): Promise<Order[]> {
  let orders: Order[] = []
  for (const [path, { token }] of [
    ['/auth/orders', owner],
    ['/auth/all-orders', admin],
  ] as const) {
    await listed(path, token)
    const blocked: number[] = []
    for (let tries = 0; tries < TRIES; tries++) {
      const ms = await blockedBy(async () => {
        const { body, bytes } = await listed(path, token)
        expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES)
        orders = body
      })
      blocked.push(ms)
    }
    expect(Math.min(...blocked), path).toBeLessThan(MAX_BLOCKED * yardstick())
  }
  return orders
}

describe('a page of orders', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true })
  })

  it('of many pieces with the longest descriptions has 200 characters of each at most', async () => {
    const buyer = await addPerson(shop.db)
    const line = { ...LINE, quantity: QUANTITY, description: '🍵'.repeat(10_000) }
    for (let n = 0; n < 47; n++) await addOrder(shop.db, buyer, { lines: [line] })
    const [order, ...others] = await expectBounded(buyer, admin)
    expect(others).toHaveLength(46)
    expect(order?.products).toHaveLength(QUANTITY)
    expect(order?.products[0]).toMatchObject({ name: line.name, slug: line.slug })
    expect('🍵'.repeat(MAX_DESCRIPTION)).toContain(order?.products[0]?.description)
  })

  it('of a few pieces has the first 200 characters of each, none of them cut in two', async () => {
    const buyer = await addPerson(shop.db)
    const description = `x${'🍵'.repeat(10_000)}`
    await addOrder(shop.db, buyer, { lines: [{ ...LINE, description }] })
    const [order] = (await listed('/auth/orders', buyer.token)).body
    expect(order?.products[0]?.description).toBe(`x${'🍵'.repeat(MAX_DESCRIPTION - 1)}`)
  })

  it('of as many products as there can be, of the longest names there are in JSON', async () => {
    const buyer = await addPerson(shop.db)
    const lines = Array.from({ length: QUANTITY }, () => ({
      product_id: uuidv7(),
      quantity: 1,
      price_minor: 100_000_000,
      name: `x${'\u0001'.repeat(199)}`,
      slug: '🍵'.repeat(200),
      description: '\u0001'.repeat(MAX_DESCRIPTION),
    }))
    for (let n = 0; n < LIST_PAGE_SIZE; n++) await addOrder(shop.db, buyer, { lines })
    const orders = await expectBounded(buyer, admin)
    expect(orders.map(({ products }) => products.length)).toEqual(
      Array.from({ length: LIST_PAGE_SIZE }, () => QUANTITY),
    )
  })
})
