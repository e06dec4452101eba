/** A process that sends requests over some keep-alive connections and measures each answer. */
import { quantile } from '../statistics.ts'
import { type Connection, type LoadRequest, openConnection, requestOf } from './connection.ts'

/** A load: each connection repeats these requests for the given time. */
export type Load = { address: string; asks: LoadRequest[]; connections: number; seconds: number }
/** Requests per second, and percentiles in milliseconds. */
export type Speed = { answers: number; perSecond: number; p50: number; p95: number; p99: number }

type Turn = { requests: string[]; first: number; until: number; times: number[] }

async function askOnAndOn(connection: Connection, { requests, first, until, times }: Turn) {
  for (let turn = first; performance.now() < until; turn++) {
    const request = requests[turn % requests.length] ?? ''
    const asked = performance.now()
    const { status } = await connection.ask(request)
    times.push(performance.now() - asked)
    if (status !== 200) throw new Error(`It answered ${status} to ${request.split('\r\n')[0]}`)
  }
}

async function measure({ address, asks, connections, seconds }: Load): Promise<Speed> {
  const requests = asks.map((ask) => requestOf(address, ask))
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(address)))
  const times: number[] = []
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(
    open.map((connection, at) => {
      // each connection begins with another request
      const first = Math.floor((at * requests.length) / connections)
      return askOnAndOn(connection, { requests, first, until, times })
    }),
  ).finally(() => {
    for (const connection of open) connection.close()
  })
  const perSecond = times.length / ((performance.now() - began) / 1000)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(times, share))
  return { answers: times.length, perSecond, p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0 }
}

process.on('message', async (load: Load) => {
  process.send?.(await measure(load))
})
