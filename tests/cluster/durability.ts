import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { waitUntil } from '#tests/faults/settle.ts'
import type { Field } from './field.ts'
import { isFailure, isPurchase } from './journal.ts'

const RATE_SECONDS = 10
/** For how long replicas get nothing before the primary dies. */
const LAG_SECONDS = 2

/** The purchases that are confirmed in a second. */
async function purchasesASecond({ rush }: Field): Promise<number> {
  rush.open()
  await waitUntil(30, () => rush.confirmed.size > 0)
  const before = rush.confirmed.size
  const began = performance.now()
  await setTimeout(RATE_SECONDS * 1000)
  const rate = (rush.confirmed.size - before) / ((performance.now() - began) / 1000)
  await rush.close()
  return rate
}

/** The orders that were confirmed and are not there. */
const missingIn = ({ look, rush }: Field) =>
  look(async (db) => {
    const rows = await db.selectFrom('orders').select('id').execute()
    const known = new Set(rows.map(({ id }) => id))
    return [...rush.confirmed.values()].filter((id) => !known.has(id)).length
  })

/**
 * Freezes what sends to the replicas while people buy, and kills the primary's machine: the orders that
 * were confirmed and are not there afterwards.
 */
async function ordersLost(field: Field): Promise<{ lost: number; confirmed: number }> {
  const { cluster, rush, journal } = field
  const primary = await cluster.primary()
  const atOpening = rush.confirmed.size
  rush.open()
  await waitUntil(30, () => rush.confirmed.size > atOpening)
  const senders = await primary.sql('select pid from pg_stat_replication')
  for (const pid of senders.split('\n')) process.kill(Number(pid), 'SIGSTOP')
  const before = rush.confirmed.size
  await setTimeout(LAG_SECONDS * 1000)
  await primary.kill()
  const confirmed = rush.confirmed.size - before
  const since = performance.now()
  await cluster.primary()
  await waitUntil(60, () =>
    journal.entries.some((entry) => isPurchase(entry) && entry.began > since && !isFailure(entry)),
  )
  await rush.close()
  return { lost: await missingIn(field), confirmed }
}

export type Durability = { rate: number; lost: number; confirmed: number }

/** The speed of purchases, and what a failover loses. The machine that was the primary stays down. */
export async function tryDurability(field: Field): Promise<Durability> {
  return { rate: await purchasesASecond(field), ...(await ordersLost(field)) }
}

/** What synchronous replication costs, and what is lost without it, in sentences. */
export const describe = (synchronous: Durability, without: Durability): string[] => [
  `With synchronous replication ${synchronous.rate.toFixed(1)} purchases a second were confirmed to buyers without pauses, without it ${without.rate.toFixed(1)}.`,
  `Then the primary sent nothing to its replicas for ${LAG_SECONDS} s, and its machine was killed. With synchronous replication ${synchronous.confirmed} orders were confirmed meanwhile, and ${synchronous.lost} were lost; without it ${without.confirmed}, of which ${without.lost} were lost.`,
]
