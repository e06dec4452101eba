import type { Random } from '#tests/support/razorpay/random.ts'
import type { ClientLog } from './client-log.ts'
import { type Clients, openClients } from './clients.ts'
import type { TestDatabase } from './database.ts'
import { type Environment, openEnvironment } from './environment.ts'
import type { Outcome } from './fault.ts'
import { checkLedger } from './ledger-check.ts'
import { settlementOf, waitUntil } from './settle.ts'

const TIMEOUT_SECONDS = 90

/** An open environment with clients, to inject faults into. */
export type Exercise = {
  environment: Environment
  random: Random
  clients: Clients
  log: ClientLog
  /** Everything that went wrong. */
  losses: string[]
  /** Waits for a condition; when it is not met in time, `failure` is a loss. */
  must: (failure: string, isMet: () => boolean | Promise<boolean>) => Promise<void>
  /** Waits until every payment has its order, or is refunded. */
  settle: () => Promise<void>
  /** Compares database, provider and clients before everything is settled. */
  compare: () => Promise<void>
}

type Setting = { clients: number } & Parameters<typeof openEnvironment>[2]

/**
 * Opens an environment, runs `act`, which answers its counts, lets the shops settle and stop, and
 * compares what the database, the provider and the clients know.
 */
export async function exercise(
  database: TestDatabase,
  random: Random,
  setting: Setting,
  act: (exercise: Exercise) => Promise<Record<string, number>>,
): Promise<Outcome> {
  const environment = await openEnvironment(database, random, setting)
  try {
    const { provider } = environment
    const clients = openClients(environment, random, setting.clients)
    const { log } = clients
    const losses: string[] = []
    const settlement = settlementOf(environment)
    const check = (settled: boolean) =>
      database.look((db) =>
        checkLedger(db, {
          population: database.population,
          provider,
          confirmed: log.confirmed,
          settled,
        }),
      )
    const settle = async () => {
      losses.push(...(await settlement(TIMEOUT_SECONDS)))
    }
    const counts = await act({
      environment,
      random,
      clients,
      log,
      losses,
      must: async (failure, isMet) => {
        if (!(await waitUntil(TIMEOUT_SECONDS, isMet))) losses.push(failure)
      },
      settle,
      compare: async () => {
        losses.push(...(await check(false)).losses)
      },
    })
    await clients.close()
    await settle()
    await environment.stop()
    const found = await check(true)
    losses.push(...found.losses, ...log.unexpected)
    const { orders, refunds } = found
    const payments = { payments: provider.account.payments.size }
    return {
      counts: { ...counts, ...payments, 'orders confirmed': log.confirmed.size, orders, refunds },
      losses,
    }
  } finally {
    await environment.close()
  }
}
