import { exercise } from './exercise.ts'
import { type Fault, NO_SERVER, type Trial } from './fault.ts'
import type { StageDatabase } from './stage/database.ts'
import { openShopClock } from './stage/shop-clock.ts'

const BUYERS = { short: 8, long: 20 }
/** Where the clock is put, in hours from the true time, one after the other. */
const JUMPS = { short: [5, -5], long: [5, 0, -5, 0, 20, -20, 0] }

/** Puts the clock of the shop, and of a database inside it, forward and back while buyers check out. */
async function jump({ rounds, dice }: Trial, database: StageDatabase) {
  const clock = await openShopClock()
  const { settings } = clock
  const form = rounds === undefined ? 'short' : 'long'
  const [jumps, buyers] = [JUMPS[form], BUYERS[form]]
  try {
    return await exercise(database, dice, { buyers, settings }, async (scene) => {
      const { stage, crowd, tally, losses, must, settle } = scene
      // who closes the browser has to be asked about
      stage.provider.messenger.goes({ lost: 1 })
      for (const hours of jumps) {
        crowd.open()
        const before = tally.acknowledged.size
        await must('nobody could buy', () => tally.acknowledged.size >= before + buyers)
        await clock.put(stage, hours)
        const after = tally.acknowledged.size
        await must('nobody could buy any more', () => tally.acknowledged.size >= after + buyers)
        await crowd.close()
        await settle()
      }
      if (tally.cutOff > 0) losses.push(`${tally.cutOff} requests had no answer`)
      return { jumps: jumps.length }
    })
  } finally {
    await clock.close()
  }
}

export const clockOnPGlite: Fault = {
  name: 'a clock that jumps, on PGlite',
  run: async (trial) => jump(trial, await trial.embedded.open()),
}

export const clockOnPostgres: Fault = {
  name: "a shop's clock that jumps, on PostgreSQL",
  run: async (trial) => {
    if (trial.rounds === undefined) return { skipped: 'it is in the long form' }
    return trial.server ? jump(trial, await trial.server.open()) : NO_SERVER
  },
}
