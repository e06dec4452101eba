/** Whole purchases, beside pgbench on the same PostgreSQL. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabaseOn } from '#tests/support/server-database.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { requirePostgres, versionOf } from '../fill/databases.ts'
import { type Child, startChild } from '../load/processes.ts'
import type { Part, Result, Run, Target } from '../part.ts'
import { importFrom } from '../shop.ts'
import { median, medianRatio } from '../statistics.ts'
import { table } from '../table.ts'
import type { PurchaseSpeed, Purchases } from './buyers.ts'
import type { addFixtures, Buyer } from './fixtures.ts'
import { createPlainTables, findPgbench, type Pgbench, PLAIN_ORDER, runPgbench } from './pgbench.ts'

const BUYERS = [1, 16, 64]
const ROUNDS = 5
const SECONDS = 5
const WARM_UP_SECONDS = 15
/** Purchases a second with so many buyers, as a share of the plain orders of pgbench. */
const LIMIT = { buyers: 16, share: 0.1 }

/** PostgreSQL's own durability (`fsync` on), and connections for both sides. */
const DURABLE = ['max_connections=300']

/** The rates of the rounds, of `buyers` at the same time. */
type Measured = { buyers: number; shop: PurchaseSpeed[]; replay: number[]; plain: number[] }

type Sides = { address: string; buyers: Buyer[]; replay: Pgbench; plain: Pgbench }

async function compare(
  child: Child,
  { address, buyers, replay, plain }: Sides,
  { connections, isShort }: { connections: number; isShort: boolean },
): Promise<Measured> {
  const buy = async (seconds: number) => {
    const purchases: Purchases = { address, buyers, connections, seconds }
    return (await child.send(purchases)) as PurchaseSpeed
  }
  const seconds = isShort ? 1 : SECONDS
  const work = { clients: connections, seconds }
  const measured: Measured = { buyers: connections, shop: [], replay: [], plain: [] }
  await buy(isShort ? 1 : WARM_UP_SECONDS)
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
    measured.shop.push(await buy(seconds))
    measured.replay.push(await runPgbench(replay, work))
    measured.plain.push(await runPgbench(plain, work))
  }
  console.log(`Measured: ${connections} buyers`)
  return measured
}

const HEADER = [
  'buyers',
  'purchases a second',
  'p50, ms',
  'p99, ms',
  'load generator',
  'same statements a second',
  'ratio',
  'plain orders a second',
  'ratio',
]

function rowOf({ buyers, shop, replay, plain }: Measured): string[] {
  const of = (pick: (speed: PurchaseSpeed) => number) => median(shop.map(pick))
  const rates = shop.map(({ perSecond }) => perSecond)
  return [
    String(buyers),
    of(({ perSecond }) => perSecond).toFixed(1),
    of(({ p50 }) => p50).toFixed(1),
    of(({ p99 }) => p99).toFixed(1),
    of(({ generatorCore }) => generatorCore).toFixed(2),
    median(replay).toFixed(1),
    medianRatio(rates, replay).toFixed(2),
    median(plain).toFixed(1),
    medianRatio(rates, plain).toFixed(2),
  ]
}

function targetsOf(all: Measured[]): Target[] {
  const judged = all.find(({ buyers }) => buyers === LIMIT.buyers)
  if (!judged) return []
  const perSecond = judged.shop.map((speed) => speed.perSecond)
  const share = medianRatio(perSecond, judged.plain)
  return [
    {
      measure: `purchases on PostgreSQL with ${LIMIT.buyers} buyers, of pgbench with a plain order`,
      target: `≥ ${LIMIT.share}`,
      measured: `${share.toFixed(2)} (${median(perSecond).toFixed(1)} a second)`,
      reached: share >= LIMIT.share,
    },
  ]
}

const textOf = (
  all: Measured[],
  { version, statements, workers }: { version: string; statements: number; workers: number },
) =>
  [
    `A purchase starts a payment for a cart of two products, pays it in the sandbox, verifies it, and reads the order from the answer: two requests and ${statements} statements. A figure is the median of ${ROUNDS} rounds of ${SECONDS} s in which the shop and two scripts of \`pgbench\` take turns, with as many connections as buyers. "Same statements" are those of a real purchase, recorded before, sent without preparation for other buyers and products each time. A "plain order" is one transaction that inserts an order, inserts a line and updates the stock, with prepared statements. PostgreSQL ${version} is durable (\`fsync\` on). The shop has ${workers} worker processes with their background jobs, a thousand products and a thousand buyers. The buyers run on the same cores.`,
    table(HEADER, all.map(rowOf)),
  ].join('\n\n')

/** Fills the shop with products and buyers, by the code of the checkout. */
async function fillShop(databaseUrl: string, root: string): Promise<Buyer[]> {
  const { openDatabase }: typeof import('#db/connect.ts') = await importFrom(root, 'db/connect.ts')
  const { migrate }: typeof import('#db/migrate.ts') = await importFrom(root, 'db/migrate.ts')
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(db)
  // older commits have it by another name
  const isOlder = existsSync(join(root, 'bench/checkout/stage.ts'))
  const add: typeof addFixtures = isOlder
    ? (await importFrom(root, 'bench/checkout/stage.ts')).setStage
    : (await importFrom(root, 'bench/checkout/fixtures.ts')).addFixtures
  const buyers = await add(db)
  await close()
  return buyers
}

async function measureOn(
  url: string,
  folder: string,
  { checkout: root, isShort }: Run,
): Promise<Result> {
  const program = findPgbench()
  if (!program) throw new Error('pgbench is not installed.')
  const { recordPurchase, SETTINGS }: typeof import('./pgbench.ts') = await importFrom(
    root,
    'bench/checkout/pgbench.ts',
  )
  const buyers = await fillShop(url, root)
  const [first] = buyers
  if (!first) throw new Error('There is no buyer.')
  const recorded = await recordPurchase(url, first)
  const replay: Pgbench = { program, url, script: join(folder, 'purchase.sql'), protocol: 'simple' }
  await writeFile(replay.script, recorded)
  const plainDatabase = await createDatabaseOn(url)
  await createPlainTables(plainDatabase.url)
  const plain: Pgbench = {
    program,
    url: plainDatabase.url,
    script: join(folder, 'plain-order.sql'),
    protocol: 'prepared',
  }
  await writeFile(plain.script, PLAIN_ORDER)
  const workers = availableParallelism()
  const settings = { ...SETTINGS, DATABASE_URL: url, DATA_DIR: folder, WORKERS: String(workers) }
  const shop = await startShopProcess({ ...settings, DEMO: 'off' }, root)
  const child = startChild(new URL('buyers.ts', import.meta.url))
  try {
    const all: Measured[] = []
    const sides: Sides = { address: shop.address, buyers, replay, plain }
    for (const connections of isShort ? [16] : BUYERS)
      all.push(await compare(child, sides, { connections, isShort }))
    const statements = recorded.split(/;$/m).length - 1
    const version = await versionOf(url)
    return { text: textOf(all, { version, statements, workers }), targets: targetsOf(all) }
  } finally {
    child.stop()
    await shop.stop()
    await plainDatabase.drop()
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

export const checkout: Part = { title: 'Checkout', measure }
