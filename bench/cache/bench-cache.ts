/** Pages and answers, cached and made anew, with and without answers that are kept, beside a bare server that sends the same bytes. */
import { startShopProcess } from '#tests/support/shop-process.ts'
import type { Load, LoadRequest, Speed } from '../load/load.ts'
import { type Loader, startBareServer, startLoad } from '../load/processes.ts'
import { processorSeconds } from '../load/processor-time.ts'
import type { Part, Result, Run, Target } from '../part.ts'
import { findSamples, madeAnew, visits, type Workload } from '../requests.ts'
import { median, medianRatio } from '../statistics.ts'
import { table } from '../table.ts'

const ROUNDS = 7
const SECONDS = 1
const CONNECTIONS = 32
/** Seconds until V8 has compiled what runs often. */
const WARM_UP = { bare: 1, cached: 1, rendered: 8, made: 8 }
const LIMITS = { ratio: 0.75, homePerCore: 400 }
/** The page cache requests pages without compression. */
const UNCOMPRESSED = { 'accept-encoding': 'identity' }

/** `rendered` renders each page from answers that its cache keeps; `made` has no cache. */
const SIDES = ['bare', 'cached', 'rendered', 'made'] as const
type Side = (typeof SIDES)[number]
type Server = { address: string; pid: number | undefined }

/** `perCore` is the number of answers for a second of processor time of the server's process. */
type Round = Speed & { perCore: number }
type Measured = { name: string; rounds: Record<Side, Round[]> }

async function measureRound(load: Loader, pid: number | undefined, options: Load): Promise<Round> {
  const before = processorSeconds(pid)
  const speed = await load.measure(options)
  const after = processorSeconds(pid)
  const used = before === null || after === null ? Number.NaN : after - before
  return { ...speed, perCore: speed.answers / used }
}

/** Measures the sides in turns, so that other work on the machine meets all of them. */
async function compare(
  load: Loader,
  servers: Record<Side, Server>,
  { workload, isShort }: { workload: Workload; isShort: boolean },
): Promise<Measured> {
  const { requests } = workload
  const uncompressed = requests.map((request) => ({ ...request, headers: UNCOMPRESSED }))
  const sent: Record<Side, LoadRequest[]> = {
    bare: requests,
    cached: requests,
    rendered: madeAnew({ ...workload, requests: uncompressed }).requests,
    made: uncompressed,
  }
  const loadOf = (side: Side, seconds: number): Load => ({
    address: servers[side].address,
    connections: CONNECTIONS,
    requests: sent[side],
    seconds,
  })
  const rounds: Measured['rounds'] = { bare: [], cached: [], rendered: [], made: [] }
  for (const side of SIDES) await load.measure(loadOf(side, isShort ? 0.2 : WARM_UP[side]))
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
    for (const side of SIDES)
      rounds[side].push(await measureRound(load, servers[side].pid, loadOf(side, SECONDS)))
  }
  console.log(`Measured: ${workload.name}`)
  return { name: workload.name, rounds }
}

async function compareAll(shops: Record<Exclude<Side, 'bare'>, Server>, isShort: boolean) {
  const load = startLoad()
  const all: Measured[] = []
  try {
    for (const workload of visits(await findSamples(shops.cached.address))) {
      const [request] = workload.requests
      if (!request) throw new Error(`There is no request for ${workload.name}.`)
      const bare = await startBareServer({ address: shops.cached.address, request })
      try {
        all.push(await compare(load, { ...shops, bare }, { workload, isShort }))
      } finally {
        bare.stop()
      }
    }
  } finally {
    load.stop()
  }
  return all
}

/** Cached, of the bare server: medians of the ratios of the rounds. */
function ratiosOf({ rounds }: Measured) {
  const ratio = (of: (round: Round) => number) =>
    medianRatio(rounds.cached.map(of), rounds.bare.map(of))
  return {
    perSecond: ratio(({ perSecond }) => perSecond),
    perCore: ratio(({ perCore }) => perCore),
    p99: ratio(({ p99 }) => p99),
  }
}

const whole = (number: number) => (Number.isFinite(number) ? String(Math.round(number)) : '-')
const hundredths = (number: number) => (Number.isFinite(number) ? number.toFixed(2) : '-')

function figuresOf(rounds: Round[]) {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  return [
    whole(of(({ perSecond }) => perSecond)),
    whole(of(({ perCore }) => perCore)),
    hundredths(of(({ p50 }) => p50)),
    hundredths(of(({ p99 }) => p99)),
    hundredths(of(({ generatorCore }) => generatorCore)),
  ]
}

const FIGURES = ['a second', 'a core', 'p50, ms', 'p99, ms', 'load generator']

const tableOf = (all: Measured[], side: Side) =>
  table(
    ['request', ...FIGURES],
    all.map(({ name, rounds }) => [name, ...figuresOf(rounds[side])]),
  )

const ratioTable = (all: Measured[]) =>
  table(
    ['request', 'a core', 'a second', 'p99'],
    all.map((measured) => {
      const { perCore, perSecond, p99 } = ratiosOf(measured)
      return [measured.name, hundredths(perCore), hundredths(perSecond), hundredths(p99)]
    }),
  )

/** By processor time where the system reports it: the rates may be limited by the load generator. */
function judgedRatio(measured: Measured): number {
  const { perCore, perSecond } = ratiosOf(measured)
  return Number.isFinite(perCore) ? perCore : perSecond
}

function targetsOf(all: Measured[]): Target[] {
  const ratios = all.map(judgedRatio)
  const home = all.find(({ name }) => name === 'home page')?.rounds.rendered ?? []
  const homePerCore = median(
    home.map(({ perCore, perSecond }) => (Number.isFinite(perCore) ? perCore : perSecond)),
  )
  return [
    {
      measure: 'cached page or answer, a core, of the bare server',
      target: `≥ ${LIMITS.ratio}`,
      measured: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      reached: ratios.every((ratio) => ratio >= LIMITS.ratio),
    },
    {
      measure: 'home page made anew with answers kept, PostgreSQL, a core',
      target: `≥ ${LIMITS.homePerCore} a second`,
      measured: `${whole(homePerCore)} a second`,
      reached: homePerCore >= LIMITS.homePerCore,
    },
  ]
}

const textOf = (all: Measured[], products: number) =>
  [
    `A shop of ${products} products on PostgreSQL in one process (\`WORKERS=1\`) with its background jobs, ${CONNECTIONS} connections. A figure is the median of ${ROUNDS} rounds of ${SECONDS} s in which the cached shop, a shop that makes each page anew, a shop without a cache and the bare server take turns. "Made anew": each request has a token, so a page is rendered from answers that the cache keeps, and a call is made with kept totals of lists. "Nothing kept" (\`CACHE_MB=0\`) is printed and not judged: no shop runs so. The bare server sends the same bytes with the same headers by \`node:http\`, with the shop's limits of memory. "A core" is the number of answers for a second of processor time of the server's process, with all its threads and without PostgreSQL. "Load generator" is the share of a core that autocannon used: near 1, "a second" and the times are limits of autocannon, and only "a core" tells the servers apart. Pages made anew are requested without compression, as the page cache requests them.`,
    '### Cached, of the bare server',
    ratioTable(all),
    '### Cached',
    tableOf(all, 'cached'),
    '### The bare server',
    tableOf(all, 'bare'),
    '### Made anew, answers kept',
    tableOf(all, 'rendered'),
    '### Made anew, nothing kept',
    tableOf(all, 'made'),
  ].join('\n\n')

async function measure({ databases, checkout, sizes, isShort }: Run): Promise<Result> {
  const products = Math.min(...sizes)
  const settings = await databases.settingsOf('PostgreSQL', products)
  const cached = await startShopProcess(settings, checkout)
  const rendered = await startShopProcess(settings, checkout)
  const made = await startShopProcess({ ...settings, CACHE_MB: '0' }, checkout)
  try {
    const all = await compareAll({ cached, rendered, made }, isShort)
    return { text: textOf(all, products), targets: targetsOf(all) }
  } finally {
    for (const shop of [cached, rendered, made]) await shop.stop()
  }
}

export const cache: Part = { title: 'Pages and answers', measure }
