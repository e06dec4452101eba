import { exercise } from './exercise.ts'
import { type Fault, NO_SERVER, type Trial } from './fault.ts'
import { postgresServer, type StageDatabase } from './stage/database.ts'

const BUYERS = 20
const SHORT_ROUNDS = 1

/** Kills PostgreSQL while buyers check out, lets them see what that looks like, and starts it anew. */
const killTheDatabase = ({ rounds = SHORT_ROUNDS, dice }: Trial, database: StageDatabase) =>
  exercise(database, dice, { buyers: BUYERS }, async ({ stage, crowd, tally, losses, must }) => {
    const { server } = database
    if (!server) throw new Error('There is no server to kill.')
    stage.provider.messenger.goes({ lost: 0.3 })
    crowd.open()
    for (let round = 1; round <= rounds; round += 1) {
      const started = tally.started + dice.between(10, 60)
      await must('nobody could start a payment', () => tally.started >= started)
      await server.kill()
      const refused = tally.unavailable + BUYERS
      await must('nobody was told to come again', () => tally.unavailable >= refused)
      const confirmed = tally.acknowledged.size
      await server.restart()
      await must('it did not heal by itself', () => tally.acknowledged.size > confirmed)
    }
    await crowd.close()
    if (tally.cutOff > 0) losses.push(`${tally.cutOff} requests had no answer`)
    if (!stage.shop().isAlive()) losses.push('the shop ended')
    return { rounds, 'requests told to come again': tally.unavailable }
  })

export const databaseKilled: Fault = {
  name: 'kill -9 of PostgreSQL itself',
  run: async (trial) => {
    // its own: others are tried on the trial's meanwhile
    const server = await postgresServer(trial.workers)
    if (!server) return NO_SERVER
    try {
      return await killTheDatabase(trial, await server.open())
    } finally {
      await server.close()
    }
  },
}
