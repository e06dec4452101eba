import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { waitUntil } from '#tests/faults/settle.ts'
import type { Random } from '#tests/support/razorpay/random.ts'
import { type Field, openField } from './field.ts'
import { isFailure, isPurchase } from './journal.ts'

const RATE_SECONDS = 10
/** How long replicas lag behind before the primary dies. */
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
 * Freezes both replicas, lets people buy for two seconds, and kills the primary's machine: the orders that
 * were confirmed and are not there afterwards.
 */
async function ordersLost(field: Field): Promise<{ lost: number; confirmed: number }> {
  const { cluster, rush, journal } = field
  const primary = await cluster.primary()
  const replicas = cluster.databases.filter((one) => one !== primary)
  rush.open()
  for (const { programs } of replicas) programs.patroni.freeze()
  const before = rush.confirmed.size
  await setTimeout(LAG_SECONDS * 1000)
  await primary.kill()
  const confirmed = rush.confirmed.size - before
  for (const { programs } of replicas) programs.patroni.thaw()
  const since = performance.now()
  await cluster.primary()
  await waitUntil(60, () =>
    journal.entries.some((entry) => isPurchase(entry) && entry.began > since && !isFailure(entry)),
  )
  await rush.close()
  return { lost: await missingIn(field), confirmed }
}

/** What a synchronous replica costs, and what is lost without one, in sentences. */
export async function compareDurability(field: Field, random: Random): Promise<string[]> {
  const synchronous = { rate: await purchasesASecond(field), ...(await ordersLost(field)) }
  await field.close()
  const other = await openField(random, { synchronous: false })
  try {
    const asynchronous = { rate: await purchasesASecond(other), ...(await ordersLost(other)) }
    const per = (rate: number) => rate.toFixed(1)
    return [
      `With synchronous replication ${per(synchronous.rate)} purchases a second were confirmed by these buyers, without it ${per(asynchronous.rate)}.`,
      `Both replicas were frozen for ${LAG_SECONDS} s, and then the primary's machine was killed. With synchronous replication ${synchronous.confirmed} orders were confirmed meanwhile, and ${synchronous.lost} were lost; without it ${asynchronous.confirmed}, of which ${asynchronous.lost} were lost.`,
    ]
  } finally {
    await other.close()
  }
}
