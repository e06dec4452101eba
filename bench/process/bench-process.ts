/** The process: start time, memory and installed size. */
import { setTimeout as sleep } from 'node:timers/promises'
import { productPath } from '#app/products/contract.ts'
import { type ShopProcess, startShopProcess } from '#tests/support/shop-process.ts'
import { measureStart } from '#tests/support/start-time.ts'
import { ENGINES, type Engine, type Settings } from '../fill/databases.ts'
import { WORDS } from '../fill/words.ts'
import { startLoad } from '../load/child.ts'
import type { LoadRequest } from '../load/connection.ts'
import type { Found, Part, Run, Target } from '../part.ts'
import { catalogueRequests, findSamples, searches, visits } from '../requests.ts'
import { median } from '../statistics.ts'
import { table } from '../table.ts'
import { type Install, measureInstall } from './install.ts'

const STARTS = 3
const IDLE_MS = 4000
const LOAD = { connections: 32, seconds: 15 }
const LOOK_MS = 50
const SPREAD = 5000
/** The catalogue size of the measurements. */
const PRODUCTS = 100_000
const MOST_MB = 250

type Measured = {
  engine: Engine
  products: number
  startMs: number
  memory: { idleMb: number; loadMb: number; perSecond: number } | null
}

/** Thousands of different URLs, so that cache and counters are full. */
async function manyAsks(shop: string): Promise<LoadRequest[]> {
  const samples = await findSamples(shop)
  const usual = [...visits(samples), ...catalogueRequests(samples), ...searches(samples)]
  const spread = Array.from({ length: SPREAD }, (_, at): LoadRequest => {
    const word = encodeURIComponent((WORDS[at % WORDS.length] ?? '').toLowerCase())
    const product = samples.products[at % samples.products.length]
    const paths = [
      `/?page=${1 + (at % (2 * samples.middle))}`,
      `/search?q=${word}`,
      productPath({ slug: product?.slug ?? '' }),
    ]
    return { path: paths[at % paths.length] ?? '/' }
  })
  return [...usual.flatMap(({ asks }) => asks), ...spread]
}

async function watchPeak<Result>({ residentMb }: ShopProcess, work: Promise<Result>) {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, residentMb() ?? 0)
  }
  const clock = setInterval(look, LOOK_MS)
  const result = await work.finally(() => clearInterval(clock))
  return { peak, result }
}

async function measureMemory(settings: Settings) {
  const shop = await startShopProcess(settings)
  const load = startLoad()
  try {
    await (await fetch(shop.address)).text()
    await sleep(IDLE_MS)
    const idleMb = shop.residentMb() ?? 0
    const asks = await manyAsks(shop.address)
    const working = load.measure({ address: shop.address, asks, ...LOAD })
    const { peak: loadMb, result } = await watchPeak(shop, working)
    return { idleMb, loadMb, perSecond: result.perSecond }
  } finally {
    load.stop()
    await shop.stop()
  }
}

async function measureStarts(settings: Settings): Promise<number> {
  const times: number[] = []
  for (let start = 0; start < STARTS; start++) times.push(await measureStart(settings))
  return median(times)
}

async function measureOn({ databases }: Run, engine: Engine, products: number) {
  const settings = await databases.settingsOf(engine, products)
  if (!settings) return null
  const memory = products === PRODUCTS ? await measureMemory(settings) : null
  const measured: Measured = {
    engine,
    products,
    memory,
    startMs: await measureStarts(settings),
  }
  console.log(`Measured: ${engine}, ${products} products`)
  return measured
}

const tableOf = (all: Measured[]) =>
  table(
    [
      'database',
      'products',
      'start to first page',
      'memory idle',
      'memory under load',
      'requests a second',
    ],
    all.map(({ engine, products, startMs, memory }) => [
      engine,
      products.toLocaleString('en'),
      `${startMs} ms`,
      ...(memory
        ? [`${memory.idleMb} MB`, `${memory.loadMb} MB`, String(Math.round(memory.perSecond))]
        : ['-', '-', '-']),
    ]),
  )

const installed = ({ packages, megabytes, largest }: Install) =>
  `Installed for production (\`npm install --omit=dev\`): ${packages} packages, ${megabytes} MB; the largest are ${largest.map(([name, size]) => `\`${name}\` (${size} MB)`).join(', ')}.`

const textOf = (all: Measured[], install: Install) =>
  [
    `One process (\`WORKERS=1\`) with the settings of \`npm start\`. Its memory is what the system holds for it (resident), that of PGlite included, that of a PostgreSQL server not; idle is ${IDLE_MS / 1000} s after the first page, under load is the most within ${LOAD.seconds} s, in which ${LOAD.connections} connections ask for every page and call and for thousands of pages that differ, so that what is kept in memory (\`CACHE_MB=64\`) is as much as it may be. The start is the median of ${STARTS}, from the start of the process to its first page, whole.`,
    tableOf(all),
    installed(install),
  ].join('\n\n')

function targetsOf(all: Measured[]): Target[] {
  const judged = all.find((one) => one.engine === 'PostgreSQL' && one.products === PRODUCTS)
  if (!judged?.memory) return []
  const { loadMb } = judged.memory
  return [
    {
      measure: `memory under load, PostgreSQL, ${PRODUCTS.toLocaleString('en')} products, one process`,
      target: `≤ ${MOST_MB} MB`,
      measured: `${loadMb} MB`,
      reached: loadMb <= MOST_MB,
    },
  ]
}

async function measure(run: Run): Promise<Found> {
  const sizes = [Math.min(...run.sizes), PRODUCTS]
  await run.databases.fill(sizes)
  const all: Measured[] = []
  for (const engine of ENGINES) {
    for (const products of sizes) {
      const measured = await measureOn(run, engine, products)
      if (measured) all.push(measured)
    }
  }
  return { text: textOf(all, await measureInstall()), targets: targetsOf(all) }
}

export const processes: Part = { title: 'The process', measure }
