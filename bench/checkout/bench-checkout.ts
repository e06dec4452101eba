/** Whole purchases, compared with pgbench running the same statements on the same PostgreSQL. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { versionOf } from '../fill/databases.ts'
import { startChild } from '../load/child.ts'
import type { Found, Part } from '../part.ts'
import { median, medianRatio } from '../statistics.ts'
import { table } from '../table.ts'
import type { Rush, Sales } from './buyers.ts'
import { type Buyer, insertFixtures } from './fixtures.ts'
import { findPgbench, recordPurchase, runPgbench, SETTINGS } from './pgbench.ts'

const BUYER_COUNTS = [1, 16, 64]
const ROUNDS = 5
const SECONDS = 2
const WARM_UP = 1
const JUDGED = { buyers: 64, share: 0.3 }

/** PostgreSQL's default durability (fsync), with enough connections for both sides. */
const DURABLE = ['max_connections=300']

type BuyerRun = { buyers: number; shop: Sales[]; pgbench: number[] }
type Stage = { url: string; program: string; script: string; address: string; buyers: Buyer[] }

async function compare(stage: Stage, connections: number): Promise<BuyerRun> {
  const { url, program, script, address, buyers } = stage
  const child = startChild(new URL('buyers.ts', import.meta.url))
  const buy = async (seconds: number) => {
    const told: Rush = { address, buyers, connections, seconds }
    return (await child.tell(told)) as Sales
  }
  const repeat = (seconds: number) =>
    runPgbench(program, { url, script, clients: connections, seconds })
  const buyerRun: BuyerRun = { buyers: connections, shop: [], pgbench: [] }
  try {
    await buy(WARM_UP)
    await repeat(WARM_UP)
    for (let round = 0; round < ROUNDS; round++) {
      buyerRun.shop.push(await buy(SECONDS))
      buyerRun.pgbench.push(await repeat(SECONDS))
    }
  } finally {
    child.stop()
  }
  console.log(`Measured: ${connections} buyers, ${shareOf(buyerRun).toFixed(2)} of pgbench`)
  return buyerRun
}

const shareOf = ({ shop, pgbench }: BuyerRun) =>
  medianRatio(
    shop.map(({ perSecond }) => perSecond),
    pgbench,
  )

const HEADER = ['buyers', 'purchases a second', 'p50, ms', 'p99, ms', 'pgbench a second', 'ratio']

function rowOf(buyerRun: BuyerRun): string[] {
  const of = (pick: (sales: Sales) => number) => median(buyerRun.shop.map(pick)).toFixed(1)
  return [
    String(buyerRun.buyers),
    of(({ perSecond }) => perSecond),
    of(({ p50 }) => p50),
    of(({ p99 }) => p99),
    median(buyerRun.pgbench).toFixed(1),
    shareOf(buyerRun).toFixed(2),
  ]
}

const textOf = (runs: BuyerRun[], version: string, statements: number, workers: number) =>
  `A purchase is a payment started for a cart of two products, paid in the sandbox, verified, and answered with its order: two requests, ${statements} statements in several transactions. They are taken down from a real purchase before each run of the benchmark, and \`pgbench\` sends the same ones, for other buyers and products each time, on as many connections, in turns with the shop: medians of ${ROUNDS} rounds of ${SECONDS} s. PostgreSQL ${version}, durable (\`fsync\` on), the shop in ${workers} processes, a thousand products and a thousand buyers, each in another network. On the same cores also run those who buy.\n\n${table(HEADER, runs.map(rowOf))}`

function foundIn(runs: BuyerRun[], text: string): Found {
  const judged = runs.find(({ buyers }) => buyers === JUDGED.buyers)
  const share = judged ? shareOf(judged) : 0
  return {
    text,
    targets: [
      {
        measure: `checkout on PostgreSQL, ${JUDGED.buyers} buyers, of pgbench with the same statements`,
        target: `≥ ${JUDGED.share}`,
        measured: share.toFixed(2),
        reached: share >= JUDGED.share,
      },
    ],
  }
}

async function measureOn(url: string, program: string, folder: string): Promise<Found> {
  const { db, close } = await openDatabase({ databaseUrl: url, dataDir: '' })
  await migrate(db)
  const buyers = await insertFixtures(db)
  await close()
  const [first] = buyers
  if (!first) throw new Error('Nobody is there to buy.')
  const script = join(folder, 'purchase.sql')
  const text = await recordPurchase(url, first)
  await writeFile(script, text)
  const workers = availableParallelism()
  const settings = { ...SETTINGS, DATABASE_URL: url, DATA_DIR: folder, WORKERS: String(workers) }
  const shop = await startShopProcess({ ...settings, DEMO: 'off' })
  try {
    const runs: BuyerRun[] = []
    const { address } = shop
    for (const buyerRun of BUYER_COUNTS)
      runs.push(await compare({ url, program, script, address, buyers }, buyerRun))
    const statements = text.split(/;$/m).length - 1
    return foundIn(runs, textOf(runs, await versionOf(url), statements, workers))
  } finally {
    await shop.stop()
  }
}

async function measure(): Promise<Found> {
  const program = findPgbench()
  const postgres = program ? await startPostgres(DURABLE) : null
  if (!program || !postgres) {
    const text = 'PostgreSQL with `pgbench` is not installed here: this part was skipped.'
    console.log(text)
    return { text, targets: [] }
  }
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  try {
    return await measureOn(postgres.url, program, folder)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true })
  }
}

export const checkout: Part = { title: 'Checkout', measure }
