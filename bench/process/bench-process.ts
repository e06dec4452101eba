/** The process itself: its start and its memory. */
import { setTimeout as sleep } from 'node:timers/promises'
import { productPath } from '#app/products/contract.ts'
import { type ShopProcess, startShopProcess } from '#tests/support/shop-process.ts'
import { measureStart } from '#tests/support/start-time.ts'
import { ENGINES, type Engine, type Settings } from '../fill/databases.ts'
import { WORDS } from '../fill/words.ts'
import type { LoadRequest } from '../load/load.ts'
import { startLoad } from '../load/processes.ts'
import type { Part, Result, Run, Target } from '../part.ts'
import { catalogueCalls, findSamples, searches, visits } from '../requests.ts'
import { median } from '../statistics.ts'
import { table } from '../table.ts'

const STARTS = 5
const IDLE_SECONDS = 4
const LOAD = { connections: 32, seconds: 30 }
const SAMPLE_MS = 50
const DIFFERENT_PAGES = 5000
const LIMITS = { startMs: 1200, memoryMb: 280 }

type Memory = { idleMb: number; loadMb: number; perSecond: number }
type Measured = { engine: Engine; products: number; startMs: number; memory: Memory }

/** Every page and call, and thousands of different pages, which fill the page cache. */
async function requestsOf(shop: string): Promise<LoadRequest[]> {
  const samples = await findSamples(shop)
  const usual = [...visits(samples), ...catalogueCalls(samples), ...searches(samples)]
  const different = Array.from({ length: DIFFERENT_PAGES }, (_, at): LoadRequest => {
    const word = encodeURIComponent((WORDS[at % WORDS.length] ?? '').toLowerCase())
    const product = samples.products[at % samples.products.length]
    const paths = [
      `/?page=${1 + (at % samples.pages)}`,
      `/search?q=${word}`,
      productPath({ slug: product?.slug ?? '' }),
    ]
    return { path: paths[at % paths.length] ?? '/' }
  })
  return [...usual.flatMap(({ requests }) => requests), ...different]
}

/** The most resident memory in MB while the work is done. */
async function watchMemory<Done>({ residentMb }: ShopProcess, work: Promise<Done>) {
  let peak = 0
  const sample = () => {
    peak = Math.max(peak, residentMb() ?? 0)
  }
  const timer = setInterval(sample, SAMPLE_MS)
  const done = await work.finally(() => clearInterval(timer))
  return { peak, done }
}

async function measureMemory(settings: Settings, { checkout, isShort }: Run): Promise<Memory> {
  const shop = await startShopProcess(settings, checkout)
  const load = startLoad()
  try {
    await (await fetch(shop.address)).text()
    await sleep(IDLE_SECONDS * 1000)
    const idleMb = shop.residentMb() ?? 0
    const requests = await requestsOf(shop.address)
    const seconds = isShort ? 1 : LOAD.seconds
    const working = load.measure({ ...LOAD, address: shop.address, requests, seconds })
    const { peak, done } = await watchMemory(shop, working)
    return { idleMb, loadMb: peak, perSecond: done.perSecond }
  } finally {
    load.stop()
    await shop.stop()
  }
}

async function measureOn(run: Run, engine: Engine, products: number): Promise<Measured> {
  const { databases, checkout, isShort } = run
  const settings = await databases.settingsOf(engine, products)
  const starts: number[] = []
  for (let start = 0; start < (isShort ? 1 : STARTS); start++)
    starts.push(await measureStart(settings, checkout))
  const memory = await measureMemory(settings, run)
  console.log(`Measured: ${engine}, ${products} products`)
  return { engine, products, startMs: median(starts), memory }
}

const textOf = (all: Measured[]) =>
  [
    `One process (\`WORKERS=1\`) with the settings of \`npm start\`. Memory is the resident memory that the system reports for it. It includes that of PGlite, and not that of a PostgreSQL server. "Idle" is ${IDLE_SECONDS} s after the first page. "Under load" is the most within ${LOAD.seconds} s in which ${LOAD.connections} connections request every page and call, and thousands of different pages that fill the page cache, whose size is that of the settings. The start is the median of ${STARTS}, from the start of the process with an existing database to the last byte of its first page.`,
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
        `${memory.idleMb} MB`,
        `${memory.loadMb} MB`,
        String(Math.round(memory.perSecond)),
      ]),
    ),
  ].join('\n\n')

const targetsOf = (all: Measured[]): Target[] =>
  all
    .filter(({ engine }) => engine === 'PostgreSQL')
    .flatMap(({ products, startMs, memory }) => {
      const shop = `PostgreSQL, ${products.toLocaleString('en')} products, one process`
      return [
        {
          measure: `start to the first page, ${shop}`,
          target: `≤ ${LIMITS.startMs} ms`,
          measured: `${startMs} ms`,
          reached: startMs <= LIMITS.startMs,
        },
        {
          measure: `memory under load, ${shop}`,
          target: `≤ ${LIMITS.memoryMb} MB`,
          measured: `${memory.loadMb} MB`,
          reached: memory.loadMb <= LIMITS.memoryMb,
        },
      ]
    })

async function measure(run: Run): Promise<Result> {
  const [, products = 0] = run.sizes
  const all: Measured[] = []
  for (const engine of ENGINES) all.push(await measureOn(run, engine, products))
  return { text: textOf(all), targets: targetsOf(all) }
}

export const processes: Part = { title: 'The process', measure }
