import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { fillCatalogue } from './fill.ts'
import { WORDS, wordBy } from './words.ts'

const COUNT = 60

let shop: OpenDatabase
const indexes = async () =>
  (await sql`select indexname, indexdef from pg_indexes order by 1`.execute(shop.db)).rows
let before: unknown[]
beforeAll(async () => {
  shop = await openTestDatabase()
  before = await indexes()
  await fillCatalogue(shop.db, COUNT)
})
afterAll(() => shop.close())

it('fills a consistent shop and restores its indexes', async () => {
  const products = await shop.db.selectFrom('products').select('name').execute()
  expect(products).toHaveLength(COUNT)
  expect(await contradictionsIn(shop.db)).toEqual({})
  expect(await indexes()).toEqual(before)
})

it('has distinct words, some much more frequent than others', () => {
  expect(new Set(WORDS).size).toBe(WORDS.length)
  const words = Array.from({ length: 10_000 }, (_, at) => wordBy(at / 10_000))
  const share = (rank: number) => words.filter((word) => word === WORDS[rank]).length / words.length
  expect(share(0)).toBeGreaterThan(0.01)
  expect(share(0)).toBeGreaterThan(5 * share(100))
  expect(wordBy(0.999999)).toBe(WORDS.at(-1))
})
