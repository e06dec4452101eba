/** The load that a benchmark sends, and its measurement with autocannon. */
import autocannon from 'autocannon'
import { quantile } from '../statistics.ts'
import { runLongEnough } from './long-enough.ts'

/** A request of the benchmarks. */
export type LoadRequest = {
  method?: 'GET' | 'POST'
  path: string
  body?: object
  /** Added to those of a browser, or instead of them. */
  headers?: Record<string, string>
}

/** `connections` stay open; each sends its next request when the last one is answered. */
export type Load = {
  address: string
  requests: LoadRequest[]
  connections: number
  /** Requests a second of all connections together; as many as are answered without it. */
  rate?: number | undefined
  seconds: number
}

/** Times are in milliseconds. */
export type Speed = {
  answers: number
  perSecond: number
  p50: number
  p95: number
  p99: number
  /** The share of a core that the load generator used. Near 1, the rate is its own limit. */
  generatorCore: number
}

const BROWSER = { accept: 'image/avif,image/webp,*/*', 'accept-encoding': 'gzip, deflate, br' }
/** The interval of autocannon's samples, in milliseconds. A run ends with a sample. */
const SAMPLE_MS = 100
/** With more requests than this, the connections divide them. */
const SHARED_BY_ALL = 200

export const toAutocannon = ({ method = 'GET', path, body, headers }: LoadRequest) => ({
  method,
  path,
  headers: { ...BROWSER, ...headers, ...(body && { 'content-type': 'application/json' }) },
  ...(body && { body: JSON.stringify(body) }),
})

/** The requests of one connection: at one time, not all connections send the same. */
export function requestsOf(all: autocannon.Request[], connection: number, connections: number) {
  if (all.length > SHARED_BY_ALL) return all.filter((_, at) => at % connections === connection)
  const first = Math.floor((connection * all.length) / connections)
  return [...all.slice(first), ...all.slice(0, first)]
}

/** The elapsed seconds of a run, and the share of a core that the process used. */
type Effort = { seconds: number; generatorCore: number }

/** Begins a run; the result answers its effort so far. */
export function beginRun(): () => Effort {
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  return () => {
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(usedBefore)
    return { seconds, generatorCore: (user + system) / 1e6 / seconds }
  }
}

/**
 * Runs autocannon. `requestsFor` is called once for each connection, `watch` for each answer: the
 * times of autocannon's own result are whole milliseconds. Throws when a request fails.
 */
export async function runAutocannon(
  { address, connections, seconds }: Omit<Load, 'requests' | 'rate'>,
  requestsFor: (connection: number) => autocannon.Request[],
  watch: (client: autocannon.Client, milliseconds: number) => void,
): Promise<Effort> {
  let connection = 0
  const failed = new Set<number>()
  const effort = beginRun()
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const options: autocannon.Options = {
    url: address,
    connections,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    bailout: 1,
    setupClient: (client) => {
      client.setRequests(requestsFor(connection))
      connection += 1
    },
  }
  const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
  running.on('response', (client, status, _bytes, milliseconds) => {
    if (status !== 200) failed.add(status)
    watch(client, milliseconds)
  })
  const { errors } = await promise
  const spent = effort()
  if (failed.size > 0) throw new Error(`The shop answered ${[...failed].join(', ')}.`)
  if (errors > 0) throw new Error(`${errors} requests had no answer.`)
  return spent
}

export const speedOf = (times: number[], { seconds, generatorCore }: Effort): Speed => ({
  answers: times.length,
  perSecond: times.length / seconds,
  p50: quantile(times, 0.5),
  p95: quantile(times, 0.95),
  p99: quantile(times, 0.99),
  generatorCore,
})

/**
 * Measures with as many requests as the connections send one after the other; for longer than `seconds` where each
 * would not be answered once.
 */
export function measure({ requests, ...load }: Omit<Load, 'rate'>): Promise<Speed> {
  const all = requests.map(toAutocannon)
  const run = async (seconds: number) => {
    const times: number[] = []
    const effort = await runAutocannon(
      { ...load, seconds },
      (connection) => requestsOf(all, connection, load.connections),
      (_client, milliseconds) => times.push(milliseconds),
    )
    return speedOf(times, effort)
  }
  return runLongEnough(load.seconds, run, ({ answers }) => answers >= load.connections)
}
