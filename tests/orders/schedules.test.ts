/**
 * The real start, completion, cancellation, expiry, reconciliation and refunds, on the embedded database,
 * in many orders: 100 stories in `npm test`, 1000 in `.ci/run`. `ORDERS_RUNS=20000` runs so many, `ORDERS_SEED=…` that of
 * one seed.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { onServer } from '../support/database.ts'
import { isWhole } from '../support/extent.ts'
import { STORY_BUGS } from './bugs.ts'
import type { Bug } from './open-story.ts'
import type { StoryPlan } from './plan.ts'
import { formatStory, runStory, storyOf } from './story.ts'
import { type EmbeddedStories, openStoryDatabase } from './story-database.ts'

const { ORDERS_RUNS: runs = isWhole ? '1000' : '100', ORDERS_SEED: only } = process.env
const FIRST_SEED = 1

let database: EmbeddedStories
beforeAll(async () => {
  if (onServer) return
  database = await openStoryDatabase()
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterAll(async () => {
  vi.useRealTimers()
  await database?.close()
})

async function runSeed(seed: number, bug?: Bug) {
  const { plan: random, scheduler } = storyOf(seed)
  const plan = { ...random, ...bug?.plan }
  const result = await runStory(database, plan, scheduler, bug)
  return { ...result, plan }
}

/** The first seed whose story finds the bug; null when none of them does. */
async function firstToFind(bug: Bug): Promise<number | null> {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + 300; seed += 1)
    if ((await runSeed(seed, bug)).broken.length > 0) return seed
  return null
}

/** Two buyers of the last pieces, as most stories have them. */
const USUAL: StoryPlan = {
  quantity: 2,
  buyers: [
    { quantity: 1, hasCoupon: true, starts: 1, pays: 'twice', does: 'verify' },
    { quantity: 2, hasCoupon: true, starts: 1, pays: 'once', does: 'nothing' },
  ],
  jobs: ['half an hour passes', 'expiry', 'polls', 'refund of a part, with return', 'refunds'],
  doJobsWait: false,
  deliveries: [1, 0],
  faults: [],
  listsLag: false,
  failingRefunds: 0,
  crashAt: null,
}

describe.skipIf(onServer)('purchases in every order', () => {
  it('break no invariant, with lost, doubled and late webhooks, failing calls and a crash', {
    timeout: Number(runs) * 2000 + 300_000,
  }, async () => {
    const seeds = only
      ? [Number(only)]
      : Array.from({ length: Number(runs) }, (_, n) => FIRST_SEED + n)
    for (const seed of seeds) {
      const { plan, ...result } = await runSeed(seed)
      if (result.broken.length > 0) expect.fail(formatStory(seed, plan, result))
    }
  })

  it('are the same steps for the same seed', async () => {
    for (const seed of [11, 12, 13]) {
      const { log } = await runSeed(seed)
      expect(log.length).toBeGreaterThan(5)
      expect((await runSeed(seed)).log).toEqual(log)
    }
  })

  it('break no invariant when a process crashes at each gate', async () => {
    const inOrder = () => fc.schedulerFor(Array.from({ length: 500 }, (_, n) => n + 1))
    const { gates } = await runStory(database, USUAL, inOrder())
    expect(gates).toBeGreaterThan(20)
    for (let crashAt = 0; crashAt < gates; crashAt += 1) {
      const { broken, log } = await runStory(database, { ...USUAL, crashAt }, inOrder())
      expect(broken, log.join('\n')).toEqual([])
      expect(log.join('\n')).toContain('crashes before')
    }
  })

  it.each(Object.entries(STORY_BUGS))('find a planted bug: %s', async (_what, bug) => {
    if (bug.schema) await database.pglite.exec(bug.schema.broken)
    const seed = await firstToFind(bug)
    await database.reset(1)
    if (bug.schema) await database.pglite.exec(bug.schema.mended)
    expect(seed).not.toBeNull()
  })
})
