import { startShopProcess } from '#tests/support/shop-process.ts'
import type { Databases, Engine } from '../fill/databases.ts'
import { startLoad } from '../load/child.ts'
import type { Speed } from '../load/load.ts'
import { catalogueRequests, findSamples, type RequestGroup, searches, visits } from '../requests.ts'
import { median } from '../statistics.ts'

export const ROUNDS = 5
const SECONDS = 0.2
const WARM_UP = 0.3
/** Longer, because the 95th percentile has a target. */
const SEARCH_SECONDS = 0.5

export const KINDS = ['page', 'call', 'search'] as const
export type Kind = (typeof KINDS)[number]

/** The wait of one visitor at each size, in milliseconds; the median of the rounds. */
export type Growth = {
  what: string
  kind: Kind
  at: { products: number; p50: number; p95: number }[]
}

type Wanted = RequestGroup & { kind: Kind }
type Shop = { products: number; address: string; wanted: Wanted[] }

async function wantedIn(address: string): Promise<Wanted[]> {
  const samples = await findSamples(address)
  const pages = visits(samples).filter(({ what }) => what.endsWith('page'))
  return [
    ...pages.map((asked) => ({ ...asked, kind: 'page' as const })),
    ...catalogueRequests(samples).map((asked) => ({ ...asked, kind: 'call' as const })),
    ...searches(samples).map((asked) => ({ ...asked, kind: 'search' as const })),
  ]
}

/** Measures all shops, alternating between sizes. */
async function measureOne(
  load: ReturnType<typeof startLoad>,
  shops: Shop[],
  { what, kind }: Wanted,
): Promise<Growth> {
  const rounds: Speed[][] = shops.map(() => [])
  const seconds = kind === 'search' ? SEARCH_SECONDS : SECONDS
  for (let round = -1; round < ROUNDS; round++) {
    for (const [at, { address, wanted }] of shops.entries()) {
      const { asks } = wanted.find((one) => one.what === what) ?? { asks: [] }
      const isWarmUp = round < 0
      const length = isWarmUp ? WARM_UP : seconds
      const speed = await load.measure({ address, asks, connections: 1, seconds: length })
      if (!isWarmUp) rounds[at]?.push(speed)
    }
  }
  const at = shops.map(({ products }, index) => {
    const speeds = rounds[index] ?? []
    return {
      products,
      p50: median(speeds.map(({ p50 }) => p50)),
      p95: median(speeds.map(({ p95 }) => p95)),
    }
  })
  console.log(`Measured: ${what}: ${at.map(({ p50 }) => p50.toFixed(1)).join(', ')} ms`)
  return { what, kind, at }
}

/** Requests everything from shops of these sizes, over one connection each, without a cache. */
export async function measureGrowth(
  databases: Databases,
  engine: Engine,
  sizes: number[],
): Promise<Growth[]> {
  const processes = []
  const shops: Shop[] = []
  const load = startLoad()
  try {
    for (const products of await databases.sizesOn(engine, sizes)) {
      const settings = await databases.settingsOf(engine, products)
      const process = await startShopProcess({ ...settings, CACHE_MB: '0' })
      processes.push(process)
      const { address } = process
      shops.push({ products, address, wanted: await wantedIn(address) })
    }
    const growths: Growth[] = []
    for (const wanted of shops[0]?.wanted ?? []) growths.push(await measureOne(load, shops, wanted))
    return growths
  } finally {
    load.stop()
    for (const process of processes) await process.stop()
  }
}
