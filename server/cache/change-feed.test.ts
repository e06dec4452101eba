import type { KyselyPlugin } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { type Change, publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { testShop } from '#tests/support/shop.ts'
import { type ChangeFeed, followChanges } from './change-feed.ts'
import { deleteOldChanges } from './change-feed-store.ts'

const shop = testShop()

let feed: ChangeFeed
let applied: Change[] = []
afterEach(() => feed.close())

/** A database whose clock can be moved forward. */
function withClock() {
  let ahead = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.map((row) =>
        typeof row.seconds === 'number' ? { ...row, seconds: row.seconds + ahead } : row,
      ),
    }),
  }
  return {
    db: shop.db.withPlugin(plugin),
    pass(seconds: number) {
      ahead += seconds
    },
  }
}

async function follow(db = shop.db) {
  feed = followChanges(db, (changes) => applied.push(...changes), { error() {} })
  await feed.catchUp()
  applied = []
}

const EVERYTHING = { tag: '*', stale_ms: 0 }
const ONE = { tag: 'product:1', stale_ms: 1000 }

describe('followChanges', () => {
  it('applies what was committed since the last poll, once', async () => {
    await publishChanges(shop.db, [{ tag: 'earlier', stale_ms: 0 }])
    await follow()
    await publishChanges(shop.db, [ONE, ONE])
    await feed.catchUp()
    await feed.catchUp()
    expect(applied).toEqual([ONE])
  })

  it('applies nothing of a transaction that was rolled back', async () => {
    await follow()
    const failing = shop.db.transaction().execute(async (tx) => {
      await publishChanges(tx, [ONE])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await feed.catchUp()
    expect(applied).toEqual([])
  })

  it('polls by itself', async () => {
    await follow()
    await publishChanges(shop.db, [ONE])
    await expect.poll(() => applied).toEqual([ONE])
  })

  it('takes everything as changed at the first poll, and after a time in which changes may be lost', async () => {
    const { db, pass } = withClock()
    feed = followChanges(db, (changes) => applied.push(...changes), { error() {} })
    applied = []
    expect(feed.lastPolledAt()).toBe(Number.NEGATIVE_INFINITY)
    await feed.catchUp()
    expect(applied).toContainEqual(EVERYTHING)
    await feed.catchUp()
    applied = []
    pass(30)
    await feed.catchUp()
    expect(applied).toEqual([])
    pass(90)
    await feed.catchUp()
    expect(applied).toContainEqual(EVERYTHING)
  })
})

describe('deleteOldChanges', () => {
  it('deletes what every process has read', async () => {
    await follow()
    await publishChanges(shop.db, [ONE])
    await shop.db
      .updateTable('change_feed')
      .set({ at: new Date(Date.now() - 600_000) })
      .execute()
    await publishChanges(shop.db, [EVERYTHING])
    await deleteOldChanges(shop.db)
    const left = await shop.db.selectFrom('change_feed').select('tag').execute()
    expect(left).toEqual([{ tag: '*' }])
  })
})
