import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testShop } from '#tests/support/shop.ts'
import { watchChanges } from './changes.ts'

const shop = testShop()

/** A database whose clock is where it is put. */
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

describe('a process that looks for changes', () => {
  it('and slept so long that some may be forgotten says that all may have changed', async () => {
    const heard: string[] = []
    const hearer = {
      changed: () => void heard.push('changed'),
      lost: () => void heard.push('lost'),
      unknown: () => void heard.push('unknown'),
    }
    const { db, pass } = withClock()
    const { catchUp, close } = watchChanges(db, hearer, { error() {} })
    try {
      await catchUp()
      expect(heard).toContain('lost')
      heard.length = 0
      await catchUp()
      pass(10)
      await catchUp()
      expect(new Set(heard)).toEqual(new Set(['changed']))
      pass(60)
      await catchUp()
      expect(heard).toContain('lost')
    } finally {
      await close()
    }
  })
})
