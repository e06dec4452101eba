import { postgresServer, type TestDatabase } from './database.ts'
import { exercise } from './exercise.ts'
import { type Fault, NO_SERVER, type Trial } from './fault.ts'

const CLIENTS = 20
const SHORT_ROUNDS = 1

/** Kills PostgreSQL while clients check out, waits until they are refused, and restarts it. */
const killRepeatedly = ({ rounds = SHORT_ROUNDS, random }: Trial, database: TestDatabase) =>
  exercise(database, random, { clients: CLIENTS }, async (running) => {
    const { environment, clients, log, losses, must } = running
    const { server } = database
    if (!server) throw new Error('There is no server to kill.')
    environment.provider.webhooks.setDelivery({ lost: 0.3 })
    clients.open()
    for (let round = 1; round <= rounds; round += 1) {
      const started = log.started + random.between(10, 60)
      await must('no client could start a payment', () => log.started >= started)
      await server.kill()
      const refused = log.unavailable + CLIENTS
      await must('no client was refused', () => log.unavailable >= refused)
      const confirmed = log.confirmed.size
      await server.restart()
      await must('the shop did not recover', () => log.confirmed.size > confirmed)
    }
    await clients.close()
    if (log.unanswered > 0) losses.push(`${log.unanswered} requests had no answer`)
    if (!environment.shop().isAlive()) losses.push('the shop ended')
    return { rounds, 'requests refused': log.unavailable }
  })

export const databaseKilled: Fault = {
  name: 'kill -9 of PostgreSQL itself',
  run: async (trial) => {
    // a server of its own: other faults use the trial's at the same time
    const server = await postgresServer(trial.workers)
    if (!server) return NO_SERVER
    try {
      return await killRepeatedly(trial, await server.open())
    } finally {
      await server.close()
    }
  },
}
