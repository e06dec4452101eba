/** Cached and uncached pages and answers, compared with a bare server that sends the same bytes. */
import { cp } from 'node:fs/promises'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { ENGINES, type Settings } from '../fill/databases.ts'
import { type Loader, startBareServer, startLoad } from '../load/child.ts'
import type { Load, Speed } from '../load/load.ts'
import { processorSeconds } from '../load/processor-time.ts'
import type { Found, Part, Run, Target } from '../part.ts'
import { findSamples, type RequestGroup, visits } from '../requests.ts'
import { median, medianRatio } from '../statistics.ts'
import { table } from '../table.ts'

const ROUNDS = 5
const SECONDS = 0.6
const CONNECTIONS = 32
/** Warm-up until V8 has optimized uncached rendering. */
const WARM_UP = { sent: 0.4, made: 4 }
const ALLOWED = { share: 0.9, p99: 1.5 }
const HOME_A_SECOND = 500

const LIMIT = 'the limit'
const CACHED = 'kept'
const isMade = (side: string) => side !== LIMIT && side !== CACHED

/** A server to measure. */
type Side = { name: string; address: string; pid: number | undefined }
/** A round; `aCore` is the number of answers per second of CPU time. */
type Round = Speed & { aCore: number }
/** The rounds of each side. */
type Compared = { what: string; rounds: Map<string, Round[]> }

async function measureRound(load: Loader, { pid }: Side, told: Load): Promise<Round> {
  const before = processorSeconds(pid)
  const speed = await load.measure(told)
  const after = processorSeconds(pid)
  const took = before === null || after === null ? Number.NaN : after - before
  return { ...speed, aCore: speed.answers / took }
}

/** The sides alternate, so that other load on the machine affects all of them. */
async function compare(
  load: Loader,
  sides: Side[],
  { what, asks }: RequestGroup,
): Promise<Compared> {
  const rounds = new Map<string, Round[]>(sides.map(({ name }) => [name, []]))
  const to = ({ name, address }: Side) => ({
    address,
    connections: CONNECTIONS,
    // uncached, it is requested with the headers that the cache would use
    asks: isMade(name) ? asks.map((ask) => ({ ...ask, plain: true })) : asks,
  })
  for (const side of sides) {
    await load.measure({ ...to(side), seconds: isMade(side.name) ? WARM_UP.made : WARM_UP.sent })
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of sides) {
      rounds.get(side.name)?.push(await measureRound(load, side, { ...to(side), seconds: SECONDS }))
    }
  }
  return { what, rounds }
}

/** POST requests are not cached. */
const isKept = ({ asks }: RequestGroup) => asks.every(({ method = 'GET' }) => method === 'GET')

async function compareAll(shops: Side[]): Promise<Compared[]> {
  const load = startLoad()
  const [first] = shops
  const all: Compared[] = []
  for (const asked of visits(await findSamples(first?.address ?? ''))) {
    const [ask] = asked.asks
    if (!first || !ask) throw new Error(`There is nothing to ask for as ${asked.what}.`)
    const bare = await startBareServer({ address: first.address, ask })
    const sides = shops.filter(({ name }) => name !== CACHED || isKept(asked))
    try {
      all.push(await compare(load, [{ ...bare, name: LIMIT }, ...sides], asked))
      console.log(`Measured: ${asked.what}`)
    } finally {
      bare.stop()
    }
  }
  load.stop()
  return all
}

const speedsOf = ({ rounds }: Compared, side: string) => rounds.get(side) ?? []

function ratiosOf(compared: Compared, side: string) {
  const ours = speedsOf(compared, side)
  const limit = speedsOf(compared, LIMIT)
  const ratio = (of: (round: Round) => number) => medianRatio(ours.map(of), limit.map(of))
  return {
    share: ratio(({ perSecond }) => perSecond),
    p99: ratio(({ p99 }) => p99),
    ofCore: ratio(({ aCore }) => aCore),
  }
}

const whole = (number: number) => (Number.isFinite(number) ? String(Math.round(number)) : '-')
const hundredths = (number: number) => (Number.isFinite(number) ? number.toFixed(2) : '-')

const typical = (rounds: Round[]) => {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  return [
    whole(of(({ perSecond }) => perSecond)),
    whole(of(({ aCore }) => aCore)),
    ...[of(({ p50 }) => p50), of(({ p99 }) => p99)].map(hundredths),
  ]
}

function tableOf(all: Compared[], side: string): string {
  const header = ['asked for', 'a second', 'a core', 'p50, ms', 'p99, ms']
  const limit = ['limit a second', 'limit a core', 'limit p50, ms', 'limit p99, ms']
  const ratios = ['of the limit', 'a core', 'p99 ratio']
  const besides = isMade(side) ? [] : [...limit, ...ratios]
  const rows = all
    .filter((compared) => compared.rounds.has(side))
    .map((compared) => {
      const ours = [compared.what, ...typical(speedsOf(compared, side))]
      if (isMade(side)) return ours
      const { share, ofCore, p99 } = ratiosOf(compared, side)
      const limits = typical(speedsOf(compared, LIMIT))
      return [...ours, ...limits, ...[share, ofCore, p99].map(hundredths)]
    })
  return table([...header, ...besides], rows)
}

const range = (numbers: number[]) =>
  `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`

function targetsOf(all: Compared[], shops: Side[]): Target[] {
  const ratios = all.filter(({ rounds }) => rounds.has(CACHED)).map((one) => ratiosOf(one, CACHED))
  const shares = ratios.map(({ share }) => share)
  const tails = ratios.map(({ p99 }) => p99)
  const home = all.find(({ what }) => what === 'home page')
  const uncached = shops.filter(({ name }) => isMade(name))
  return [
    {
      measure: 'kept page or answer, one process, of the bare limit',
      target: `≥ ${ALLOWED.share}`,
      measured: range(shares),
      reached: shares.every((share) => share >= ALLOWED.share),
    },
    {
      measure: 'its p99, of the p99 of the limit',
      target: `≤ ${ALLOWED.p99}`,
      measured: range(tails),
      reached: tails.every((tail) => tail <= ALLOWED.p99),
    },
    ...uncached.map(({ name }) => {
      const rounds = home ? speedsOf(home, name) : []
      const aSecond = median(rounds.map(({ aCore, perSecond }) => aCore || perSecond))
      return {
        measure: `home page made anew, by one process on one core, ${name}`,
        target: `≥ ${HOME_A_SECOND} a second`,
        measured: `${Math.round(aSecond)} a second`,
        reached: aSecond >= HOME_A_SECOND,
      }
    }),
  ]
}

const textOf = (all: Compared[], shops: Side[], products: number) =>
  [
    `A shop of ${products} products in one process (\`WORKERS=1\`), asked over ${CONNECTIONS} connections that stay open, by a process of its own. Each figure is the median of ${ROUNDS} rounds of ${SECONDS} s, in which all sides take turns. The limit is a process whose only work is to send the same bytes with the same headers by \`node:http\`; a ratio is the median of the ratios of the rounds. *A core* says how many answers a second of a core's time is good for, by the processor time that the system counts for the process, all its threads included and PostgreSQL's server not: other work on the machine changes it little. On few cores the one that asks, the shop and PostgreSQL share them. What is made anew is measured as the page cache asks for it: not compressed.`,
    ...shops.flatMap(({ name }) => [
      `### ${name === CACHED ? 'Kept in memory' : `Made anew for each request, on ${name}`}`,
      tableOf(all, name),
    ]),
  ].join('\n\n')

/** A shop of its own on the same catalogue: only one process can open the embedded database. */
async function twinOf(settings: Settings): Promise<Settings> {
  if (settings.DATABASE_URL) return settings
  const DATA_DIR = `${settings.DATA_DIR}-twin`
  await cp(settings.DATA_DIR, DATA_DIR, { recursive: true })
  return { ...settings, DATA_DIR }
}

/** One shop with a cache and, for each database, one without. */
async function shopsWith({ databases }: Run, products: number) {
  const shops: { name: string; settings: Record<string, string> }[] = []
  for (const engine of ENGINES) {
    const settings = await databases.settingsOf(engine, products)
    if (!settings) continue
    if (shops.length === 0) shops.push({ name: CACHED, settings: await twinOf(settings) })
    shops.push({ name: engine, settings: { ...settings, CACHE_MB: '0' } })
  }
  return shops
}

async function measure(run: Run): Promise<Found> {
  const products = Math.min(...run.sizes)
  await run.databases.fill([products])
  const shops = []
  for (const { name, settings } of await shopsWith(run, products))
    shops.push({ name, process: await startShopProcess(settings) })
  try {
    const sides = shops.map(({ name, process: { address, pid } }) => ({ name, address, pid }))
    const all = await compareAll(sides)
    return { text: textOf(all, sides, products), targets: targetsOf(all, sides) }
  } finally {
    for (const { process } of shops) await process.stop()
  }
}

export const cache: Part = { title: 'Pages and answers', measure }
