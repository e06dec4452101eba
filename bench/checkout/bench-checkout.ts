/** Whole purchases, beside pgbench on the same PostgreSQL, and beside the shop of another checkout. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { requirePostgres, versionOf } from '../fill/databases.ts'
import { type Child, startChild } from '../load/processes.ts'
import type { Part, Result, Run } from '../part.ts'
import { THIS_CHECKOUT } from '../shop.ts'
import type { PurchaseSpeed, Purchases } from './buyers.ts'
import { openSink } from './mails.ts'
import {
  analyze,
  createPlainTables,
  findPgbench,
  type Pgbench,
  PLAIN_ORDER,
  runPgbench,
} from './pgbench.ts'
import { recordPurchase } from './record.ts'
import { type Case, type Measured, type Minute, reportOf } from './report.ts'
import { fillShop, openSide, type Side } from './side.ts'

const CASES: Case[] = [
  { buyers: 1, isSameProduct: false },
  { buyers: 16, isSameProduct: false },
  { buyers: 64, isSameProduct: false },
  { buyers: 64, isSameProduct: true },
]
const ROUNDS = 5
const SECONDS = 4
const PGBENCH_SECONDS = 1
const WARM_UP_SECONDS = 15
/** How long each shop sells at the end, and how long its e-mails have then. */
const MINUTE_SECONDS = 60

/** PostgreSQL's own durability (`fsync` on), and connections for all sides. */
const DURABLE = ['max_connections=300']

type Sides = { shop: Side; other: Side | undefined; replay: Pgbench; plain: Pgbench }

type Buy = (side: Side, one: Case, seconds: number) => Promise<PurchaseSpeed>

/** Buys, and lets the shop send its e-mails before another side takes its turn. */
async function buyAndSend(buy: Buy, side: Side, one: Case, seconds: number) {
  const speed = await buy(side, one, seconds)
  await side.mails.finish()
  return speed
}

/** The sides take turns, so that all of them meet the same machine. */
async function compare(
  buy: Buy,
  { shop, other, replay, plain }: Sides,
  { one, rounds, seconds }: { one: Case; rounds: number; seconds: number },
): Promise<Measured> {
  const work = { clients: one.buyers, seconds: PGBENCH_SECONDS }
  const measured: Measured = { ...one, shop: [], other: [], replay: [], plain: [] }
  for (let round = 0; round < rounds; round++) {
    measured.shop.push(await buyAndSend(buy, shop, one, seconds))
    if (other) measured.other.push(await buyAndSend(buy, other, one, seconds))
    measured.replay.push(await runPgbench(replay, work))
    measured.plain.push(await runPgbench(plain, work))
  }
  const rates = measured.shop.map(({ perSecond }) => perSecond.toFixed(0)).join(' ')
  console.log(`Measured: ${one.buyers} buyers${one.isSameProduct ? ' of a product' : ''}: ${rates}`)
  return measured
}

/** Writes the scripts of pgbench, each for a database of its own. */
async function openReplays(url: string, folder: string) {
  const program = findPgbench()
  if (!program) throw new Error('pgbench is not installed.')
  const replayed = await createDatabaseOn(url)
  const [buyer] = await fillShop(replayed.url, THIS_CHECKOUT)
  if (!buyer) throw new Error('There is no buyer.')
  const { script, statements } = await recordPurchase(replayed.url, buyer)
  const ordered = await createDatabaseOn(url)
  await createPlainTables(ordered.url)
  const replay: Pgbench = {
    program,
    url: replayed.url,
    script: join(folder, 'purchase.sql'),
    protocol: 'simple',
  }
  const plain: Pgbench = {
    program,
    url: ordered.url,
    script: join(folder, 'plain-order.sql'),
    protocol: 'prepared',
  }
  await writeFile(replay.script, script)
  await writeFile(plain.script, PLAIN_ORDER)
  return { replay, plain, statements }
}

const SOME: Case = { buyers: 16, isSameProduct: false }

/** Sells for some time, until the code is compiled and the tables have rows, and updates their statistics. */
async function warmUp(buy: Buy, { shop, other, replay, plain }: Sides, seconds: number) {
  for (const side of [shop, other]) if (side) await buyAndSend(buy, side, SOME, seconds)
  for (const script of [replay, plain])
    await runPgbench(script, { clients: SOME.buyers, seconds: 1 })
  const urls = [shop, other].flatMap((side) => (side ? [side.databaseUrl] : []))
  for (const url of [...urls, replay.url, plain.url]) await analyze(url)
}

/** Sells for a minute, and counts the e-mails that wait a minute later. */
async function sellForMinute(buy: Buy, side: Side, seconds: number): Promise<Minute> {
  const before = await side.mails.count()
  const { perSecond } = await buy(side, SOME, seconds)
  await sleep(seconds * 1000)
  const { waiting, sent } = await side.mails.count()
  await side.mails.finish()
  const minute = { name: side.name, perSecond, waiting, sent: sent - before.sent }
  console.log(`Measured: e-mails of ${side.name}: ${waiting} wait, ${minute.sent} are sent`)
  return minute
}

const buyBy =
  (child: Child): Buy =>
  async ({ address, buyers }, { buyers: connections, isSameProduct }, seconds) => {
    const purchases: Purchases = { address, buyers, connections, seconds, isSameProduct }
    return (await child.send(purchases)) as PurchaseSpeed
  }

async function measureCases(child: Child, sides: Sides, isShort: boolean) {
  const buy = buyBy(child)
  await warmUp(buy, sides, isShort ? 1 : WARM_UP_SECONDS)
  const measured: Measured[] = []
  const amount = isShort ? { rounds: 1, seconds: 1 } : { rounds: ROUNDS, seconds: SECONDS }
  for (const one of CASES) measured.push(await compare(buy, sides, { one, ...amount }))
  const minutes: Minute[] = []
  for (const side of [sides.shop, sides.other])
    if (side) minutes.push(await sellForMinute(buy, side, isShort ? 3 : MINUTE_SECONDS))
  return { measured, minutes }
}

async function measureOn(url: string, folder: string, { checkout, isShort }: Run): Promise<Result> {
  const workers = availableParallelism()
  const { replay, plain, statements } = await openReplays(url, folder)
  const child = startChild(new URL('buyers.ts', import.meta.url))
  const smtp = await openSink()
  const opened: Side[] = []
  const open = async (root: string) => {
    const side = await openSide(url, root, { folder, workers, smtp })
    opened.push(side)
    return side
  }
  try {
    const shop = await open(THIS_CHECKOUT)
    const other = checkout === THIS_CHECKOUT ? undefined : await open(checkout)
    const { measured, minutes } = await measureCases(child, { shop, other, replay, plain }, isShort)
    const version = await versionOf(url)
    const lengths = { rounds: ROUNDS, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS }
    const facts = { version, statements, workers, minutes, ...lengths }
    return reportOf(measured, { ...facts, other: other?.name })
  } finally {
    child.stop()
    for (const side of opened) await side.stop()
    smtp.close()
  }
}

async function measure(run: Run): Promise<Result> {
  const postgres = await requirePostgres(DURABLE)
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  try {
    return await measureOn(postgres.url, folder, run)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true })
  }
}

export const checkout: Part = { title: 'Checkout', measure, comparesShops: true }
