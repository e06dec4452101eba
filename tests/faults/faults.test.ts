import { afterAll, beforeAll, describe, it } from 'vitest'
import { seededRandom } from '#tests/support/razorpay/random.ts'
import { lineOf } from './fault.ts'
import { FAULTS } from './faults.ts'
import { openTrial } from './open-trial.ts'

/** Long enough for a busy machine. */
const TIMEOUT_MS = 300_000

const seed = Date.now() % 1_000_000

describe(`faults (seed ${seed})`, () => {
  let opened: Awaited<ReturnType<typeof openTrial>>
  beforeAll(async () => {
    opened = await openTrial({ random: seededRandom(seed) })
  }, TIMEOUT_MS)
  afterAll(() => opened.close())

  for (const { name, run } of FAULTS) {
    const how = { timeout: TIMEOUT_MS, concurrent: true }
    it(`${name}: nothing is lost`, how, async ({ expect, skip }) => {
      const outcome = await run(opened.trial)
      if ('skipped' in outcome) return skip(outcome.skipped)
      process.stdout.write(`${lineOf(name, outcome)}\n`)
      expect(outcome.losses).toEqual([])
    })
  }
})
