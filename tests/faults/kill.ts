import { setTimeout } from 'node:timers/promises'
import { runShopCommand } from '#tests/support/shop-process.ts'
import type { TestDatabase } from './database.ts'
import { type Exercise, exercise } from './exercise.ts'
import { type Fault, NO_SERVER, type Trial } from './fault.ts'
import { waitUntil } from './settle.ts'

const CLIENTS = 20
const SHORT_ROUNDS = 1
const MAX_ROUND_SECONDS = 5

/** Some payments, and then a random moment. */
async function randomMoment({ log, random }: Exercise) {
  const enough = log.started + random.between(1, 60)
  await waitUntil(MAX_ROUND_SECONDS, () => log.started >= enough)
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

/** The problems that `npm run shop -- doctor` finds on the machine of the first shop. */
async function wrongWith({ environment }: Exercise): Promise<string[]> {
  const findings = (await runShopCommand(['doctor'], environment.environmentOf())).split('\n')
  const isExamined = findings.some((line) => /^ok +Invariants/.test(line))
  return isExamined ? findings.filter((line) => line.startsWith('WRONG')) : findings
}

/** Kills one of two shops that sell. The other goes on alone, and does the jobs of both. */
const killOne = (database: TestDatabase, { random }: Trial) =>
  exercise(database, random, { clients: CLIENTS, shops: 2 }, async (running) => {
    const { environment, clients, log, losses, must, settle, compare } = running
    clients.open()
    await randomMoment(running)
    await environment.shop(1).kill()
    const enough = log.confirmed.size + CLIENTS
    await must('the other shop sells no more', () => log.confirmed.size >= enough)
    await clients.close()
    await compare()
    await settle()
    const invoicesDue = () =>
      database.look((db) => db.selectFrom('invoices_due').select('order_id').execute())
    await must('an order has no invoice', async () => (await invoicesDue()).length === 0)
    losses.push(...(await wrongWith(running)))
    return { shops: 2, unanswered: log.unanswered }
  })

export const killOneOfTwo: Fault = {
  name: 'kill -9 of one of two shops',
  run: async (trial) => (trial.server ? killOne(await trial.server.open(), trial) : NO_SERVER),
}
