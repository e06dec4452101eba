import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { median } from '#bench/statistics.ts'
import { waitUntil } from '#tests/faults/settle.ts'
import type { Field } from './field.ts'
import { isFailure, isPurchase } from './journal.ts'

const RATE_SECONDS = 10
/** How long replicas get nothing before the primary is killed. */
const LAG_SECONDS = 2

/** The purchases that are confirmed in a second. */
async function purchasesASecond({ peakBuyers }: Field): Promise<number> {
  peakBuyers.open()
  await waitUntil(30, () => peakBuyers.confirmed.size > 0)
  const before = peakBuyers.confirmed.size
  const began = performance.now()
  await setTimeout(RATE_SECONDS * 1000)
  const rate = (peakBuyers.confirmed.size - before) / ((performance.now() - began) / 1000)
  await peakBuyers.close()
  return rate
}

/** The orders that were confirmed and are not there. */
const missingIn = ({ readPrimary, peakBuyers }: Field) =>
  readPrimary(async (db) => {
    const rows = await db.selectFrom('orders').select('id').execute()
    const known = new Set(rows.map(({ id }) => id))
    return [...peakBuyers.confirmed.values()].filter((id) => !known.has(id)).length
  })

/**
 * Freezes what sends to the replicas while buyers buy, and kills the primary's machine: the orders that
 * were confirmed and are not there afterwards.
 */
async function ordersLost(field: Field): Promise<{ lost: number; confirmed: number }> {
  const { cluster, peakBuyers, journal } = field
  const primary = await cluster.primary()
  const atOpening = peakBuyers.confirmed.size
  peakBuyers.open()
  await waitUntil(30, () => peakBuyers.confirmed.size > atOpening)
  const senders = await primary.sql('select pid from pg_stat_replication')
  for (const pid of senders.split('\n')) process.kill(Number(pid), 'SIGSTOP')
  const before = peakBuyers.confirmed.size
  await setTimeout(LAG_SECONDS * 1000)
  await primary.kill()
  const confirmed = peakBuyers.confirmed.size - before
  const since = performance.now()
  await cluster.primary()
  await waitUntil(60, () =>
    journal.entries.some((entry) => isPurchase(entry) && entry.began > since && !isFailure(entry)),
  )
  await peakBuyers.close()
  return { lost: await missingIn(field), confirmed }
}

export type Durability = { rate: number; lost: number; confirmed: number }

/** The speed of purchases, and what a failover loses. The machine that was the primary stays down. */
export async function tryDurability(field: Field): Promise<Durability> {
  return { rate: await purchasesASecond(field), ...(await ordersLost(field)) }
}

const countOrders = (count: number) => `${count} ${count === 1 ? 'order' : 'orders'}`

/** The figures of several clusters: the median of the rates, the sums of the orders. */
function summarise(results: Durability[]) {
  const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
  return {
    rate: median(results.map(({ rate }) => rate)),
    confirmed: countOrders(sumOf(results.map(({ confirmed }) => confirmed))),
    lost: sumOf(results.map(({ lost }) => lost)),
  }
}

/** The cost of synchronous replication, and the losses without it, in sentences. */
export function describe(synchronous: Durability[], without: Durability[]): string[] {
  const [slower, faster] = [summarise(synchronous), summarise(without)]
  return [
    `Synchronous replication, compared on new clusters in turn, ${synchronous.length} with it and ${without.length} without it: at the median ${slower.rate.toFixed(1)} purchases a second were confirmed to buyers without pauses with it, ${faster.rate.toFixed(1)} without it, a ratio of ${(slower.rate / faster.rate).toFixed(2)}.`,
    `Then each primary sent nothing to its replicas for ${LAG_SECONDS} s, and its machine was killed. Confirmed meanwhile: with synchronous replication ${slower.confirmed}, of which ${slower.lost} were lost; without it ${faster.confirmed}, of which ${faster.lost} were lost.`,
  ]
}
