import { setTimeout } from 'node:timers/promises'
import type { TestDatabase } from './database.ts'
import { type Exercise, exercise } from './exercise.ts'
import { type Fault, NO_SERVER, type Trial } from './fault.ts'
import { waitUntil } from './settle.ts'

const CLIENTS = 20
const SHORT_ROUNDS = 1
const LONGEST_ROUND_SECONDS = 5

/** Some payments, and then a random moment. */
async function randomMoment({ log, random }: Exercise) {
  const enough = log.started + random.between(1, 60)
  await waitUntil(LONGEST_ROUND_SECONDS, () => log.started >= enough)
  await setTimeout(random.between(0, 200))
}

/** Kills the shop at random moments while clients check out, and restarts it. */
const killRepeatedly = ({ rounds = SHORT_ROUNDS, random }: Trial, database: TestDatabase) =>
  exercise(database, random, { clients: CLIENTS }, async (running) => {
    const { environment, clients, settle, compare } = running
    const { webhooks } = environment.provider
    webhooks.setDelivery({ lost: 0.3, doubled: 0.2, reversed: 0.2 })
    for (let round = 1; round <= rounds; round += 1) {
      clients.open()
      await randomMoment(running)
      await environment.shop().kill()
      await clients.close()
      await compare()
      await environment.start()
      await settle()
    }
    return { rounds, 'webhooks lost': webhooks.counts.lost }
  })

export const killOnPGlite: Fault = {
  name: 'kill -9 on PGlite',
  run: async (trial) => killRepeatedly(trial, await trial.embedded.open()),
}

export const killOnPostgres: Fault = {
  name: 'kill -9 on PostgreSQL',
  run: async (trial) =>
    trial.server ? killRepeatedly(trial, await trial.server.open()) : NO_SERVER,
}
