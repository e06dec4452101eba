import { afterAll, beforeAll, describe, it } from 'vitest'
import { throwDice } from './dice.ts'
import { lineOf } from './fault.ts'
import { FAULTS } from './faults.ts'
import { openTrial } from './open-trial.ts'

/** Long enough for a machine that is busy with something else. */
const PATIENCE_MS = 300_000

const seed = Date.now() % 1_000_000

describe(`what must not hurt the shop (seed ${seed})`, () => {
  let opened: Awaited<ReturnType<typeof openTrial>>
  beforeAll(async () => {
    opened = await openTrial({ dice: throwDice(seed) })
  }, PATIENCE_MS)
  afterAll(() => opened.close())

  for (const { name, run } of FAULTS) {
    const how = { timeout: PATIENCE_MS, concurrent: true }
    it(`${name}: nothing is lost`, how, async ({ expect, skip }) => {
      const outcome = await run(opened.trial)
      if ('skipped' in outcome) return skip(outcome.skipped)
      process.stdout.write(`${lineOf(name, outcome)}\n`)
      expect(outcome.losses).toEqual([])
    })
  }
})
