import { setTimeout } from 'node:timers/promises'
import { exercise, type Scene } from './exercise.ts'
import { type Fault, NO_SERVER, type Trial } from './fault.ts'
import type { StageDatabase } from './stage/database.ts'
import { within } from './stage/settle.ts'

const BUYERS = 20
const SHORT_ROUNDS = 1
const LONGEST_ROUND_SECONDS = 5

/** Some payments later, and then any moment. */
async function someBusiness({ tally, dice }: Scene) {
  const enough = tally.started + dice.between(1, 60)
  await within(LONGEST_ROUND_SECONDS, () => tally.started >= enough)
  await setTimeout(dice.between(0, 200))
}

/** Kills the shop at a random moment while buyers check out, and starts it anew, again and again. */
const killAgainAndAgain = ({ rounds = SHORT_ROUNDS, dice }: Trial, database: StageDatabase) =>
  exercise(database, dice, { buyers: BUYERS }, async (scene) => {
    const { stage, crowd, settle, compare } = scene
    const { messenger } = stage.provider
    messenger.goes({ lost: 0.3, doubled: 0.2, reversed: 0.2 })
    for (let round = 1; round <= rounds; round += 1) {
      crowd.open()
      await someBusiness(scene)
      await stage.shop().kill()
      await crowd.close()
      await compare()
      await stage.start()
      await settle()
    }
    return { rounds, 'reports never sent': messenger.counts.lost }
  })

export const killOnPGlite: Fault = {
  name: 'kill -9 on PGlite',
  run: async (trial) => killAgainAndAgain(trial, await trial.embedded.open()),
}

export const killOnPostgres: Fault = {
  name: 'kill -9 on PostgreSQL',
  run: async (trial) =>
    trial.server ? killAgainAndAgain(trial, await trial.server.open()) : NO_SERVER,
}
