/**
 * Runs stories: what two buyers, the jobs, an admin and a failing provider do, in an order that a seed
 * decides. The ids of rows are random, and no step shows them.
 */
import fc, { type Scheduler } from 'fast-check'
import { vi } from 'vitest'
import { buyersOf, startActors } from './actors.ts'
import { advanceClock, type Bug, openStory, type Story } from './open-story.ts'
import { type StoryPlan, storyPlan } from './plan.ts'
import { settle } from './settle.ts'
import { EARLY, type EmbeddedStories } from './story-database.ts'

const MILLISECOND = 1 / 60_000
const BEGINNING = Date.UTC(2026, 10, 21)

export type StoryResult = {
  /** Every step in its order. */
  log: string[]
  /** Broken invariants, and rows that are not settled. */
  broken: string[]
  /** How many gates were passed. */
  gates: number
}

/** Buyers who replace or leave their reservation, or are declined, end it themselves. */
const endThemselves = (story: Story) =>
  buyersOf(story)
    .filter(
      ({ starts, does, pays }) => starts > 1 || does === 'leave' || pays.startsWith('declined'),
    )
    .map(({ id }) => id)

async function check(story: Story) {
  const theirs = endThemselves(story)
  for (const { name, id } of await story.database.violations())
    if (!(name === EARLY && theirs.includes(id))) story.broken.push(`${name}: ${id}`)
}

/** Runs a story in the order of the scheduler, checks the invariants after each write, and recovers. */
export async function runStory(
  database: EmbeddedStories,
  plan: StoryPlan,
  scheduler: Scheduler,
  bug: Bug = {},
): Promise<StoryResult> {
  vi.setSystemTime(BEGINNING)
  await database.reset(plan.quantity)
  const story = openStory(database, plan, { scheduler, bug })
  const { gates, broken } = story
  startActors(story)
  await gates.run(async (hasWritten) => {
    advanceClock(MILLISECOND)
    if (hasWritten && broken.length === 0) await check(story)
  })
  const passed = gates.passed()
  if (broken.length === 0) {
    broken.push(...(await settle(story)))
    await check(story)
  }
  return { log: gates.log, broken, gates: passed }
}

/** The plan and the order of a seed. */
export function storyOf(seed: number): { plan: StoryPlan; scheduler: Scheduler } {
  const both = fc.record({ plan: storyPlan, scheduler: fc.scheduler() })
  const [story] = fc.sample(both, { seed, numRuns: 1 })
  if (!story) throw new Error('There is no story.')
  return story
}

/** A story that failed: its seed, plan and steps, and what broke. */
export const formatStory = (seed: number, plan: StoryPlan, { log, broken }: StoryResult): string =>
  [
    `The story of ORDERS_SEED=${seed} breaks an invariant:`,
    ...broken.map((what) => `  ${what}`),
    `Plan: ${JSON.stringify(plan)}`,
    'Steps:',
    ...log.map((step) => `  ${step}`),
  ].join('\n')
