/** The calls that read the catalogue, made anew, in shops of several sizes on PostgreSQL. */
import { type ShopProcess, startShopProcess } from '#tests/support/shop-process.ts'
import { SHARED_BUFFERS } from '../fill/databases.ts'
import type { Speed } from '../load/load.ts'
import { type Loader, startLoad } from '../load/processes.ts'
import type { Part, Result, Run, Target } from '../part.ts'
import {
  catalogueCalls,
  facetPages,
  findSamples,
  madeAnew,
  searches,
  type Workload,
} from '../requests.ts'
import { median } from '../statistics.ts'
import { table } from '../table.ts'

/** The 95th percentile in milliseconds, for shops of this many products. */
const LIMITS = [
  { products: 100_000, call: 8, search: 40, facets: 60 },
  { products: 1_000_000, call: 200, search: 200, facets: 60 },
]
/** The searches that are judged. */
const JUDGED = ['search: two frequent words', 'search: two words, one with a typo']

const ROUNDS = 5
const SECONDS = 1

type Kind = 'call' | 'search' | 'facets'
type Shop = { products: number; process: ShopProcess; workloads: (Workload & { kind: Kind })[] }
/** How long one visitor waits in milliseconds, at each size; medians of the rounds. */
type Measured = {
  name: string
  kind: Kind
  at: { products: number; p50: number; p95: number }[]
}

const count = (products: number) => products.toLocaleString('en')
const ms = (time: number) => time.toFixed(1)

async function startShop({ databases, checkout }: Run, products: number): Promise<Shop> {
  const settings = await databases.settingsOf('PostgreSQL', products)
  const process = await startShopProcess(settings, checkout)
  const samples = await findSamples(process.address)
  const workloads = [
    ...catalogueCalls(samples).map((workload) => ({
      ...madeAnew(workload),
      kind: 'call' as const,
    })),
    ...searches(samples).map((workload) => ({ ...madeAnew(workload), kind: 'search' as const })),
    ...facetPages(samples).map((workload) => ({ ...madeAnew(workload), kind: 'facets' as const })),
  ]
  return { products, process, workloads }
}

/** Measures a workload in all shops, which take turns. The first round is the warm-up. */
async function measureWorkload(
  load: Loader,
  shops: Shop[],
  { name, kind, rounds }: { name: string; kind: Kind; rounds: number },
): Promise<Measured> {
  const speeds = new Map<Shop, Speed[]>(shops.map((shop) => [shop, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const shop of shops) {
      const requests = shop.workloads.find((one) => one.name === name)?.requests ?? []
      const { address } = shop.process
      const speed = await load.measure({ address, requests, connections: 1, seconds: SECONDS })
      if (round > 0) speeds.get(shop)?.push(speed)
    }
  }
  const at = shops.map((shop) => ({
    products: shop.products,
    p50: median((speeds.get(shop) ?? []).map(({ p50 }) => p50)),
    p95: median((speeds.get(shop) ?? []).map(({ p95 }) => p95)),
  }))
  console.log(`Measured: ${name}: p95 ${at.map(({ p95 }) => ms(p95)).join(', ')} ms`)
  return { name, kind, at }
}

const isJudged = (name: string, kind: Kind) =>
  kind === 'search' ? JUDGED.includes(name) : !name.includes('larger')

function targetsOf({ name, kind, at }: Measured): Target[] {
  if (!isJudged(name, kind)) return []
  return at.flatMap(({ products, p95 }) => {
    const limit = LIMITS.find((one) => one.products === products)
    if (!limit) return []
    return [
      {
        measure: `${name}, PostgreSQL, ${count(products)} products, made anew`,
        target: `p95 ≤ ${limit[kind]} ms`,
        measured: `${ms(p95)} ms`,
        reached: p95 <= limit[kind],
      },
    ]
  })
}

function textOf(all: Measured[]): string {
  const sizes = all[0]?.at.map(({ products }) => count(products)) ?? []
  const header = sizes.flatMap((size) => [`${size}: p50, ms`, `${size}: p95, ms`])
  const rows = all.map(({ name, at }) => [
    name,
    ...at.flatMap(({ p50, p95 }) => [ms(p50), ms(p95)]),
  ])
  return [
    `One visitor, who sends one request after the other over one connection. Each request has a token, so that no answer comes from the page cache; the cache is on, and keeps the totals of lists. A page with facets is rendered by the server, of the largest category of at most 5,000 products, and of the largest one; each product has six variants and two attributes. A shop is one process (\`WORKERS=1\`) with its background jobs. The shops take turns; a figure is the median of ${ROUNDS} rounds of ${SECONDS} s. Names have three to six words of 20,000, descriptions twenty; the words are as unevenly frequent as those of a language, and the most frequent one is in about every fourth product. The two words of a search are among the most frequent; the typo lacks a letter; a prefix has three letters. PostgreSQL has \`shared_buffers=${SHARED_BUFFERS}\`.`,
    table(['request', ...header], rows),
  ].join('\n\n')
}

async function measure(run: Run): Promise<Result> {
  const load = startLoad()
  const shops: Shop[] = []
  try {
    for (const products of run.sizes) shops.push(await startShop(run, products))
    const all: Measured[] = []
    for (const { name, kind } of shops[0]?.workloads ?? [])
      all.push(await measureWorkload(load, shops, { name, kind, rounds: run.isShort ? 1 : ROUNDS }))
    return { text: textOf(all), targets: all.flatMap(targetsOf) }
  } finally {
    load.stop()
    for (const { process } of shops) await process.stop()
  }
}

export const catalogue: Part = { title: 'From small shops to large ones', measure }
