import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from './children-of.ts'
import type { ShopProcess } from './shop-process.ts'

const LOOK_MS = 50
const LOOKS = 1000

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

type Question = { method?: string; token?: string; body?: object }

/** Sends a request over the connections of an agent; rejects when it is disconnected. */
export const askBy = (
  agent: Agent | false,
  { address }: ShopProcess,
  path: string,
  { method = 'GET', token, body }: Question = {},
) =>
  new Promise<Answer>((resolve, reject) => {
    const headers = {
      ...(token && { authorization: token }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const asking = request(address + path, { agent, method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      )
      answer.once('error', reject)
    })
    asking.once('error', reject).end(body && JSON.stringify(body))
  })

/** The worker processes of a shop. */
export const workersOf = ({ pid }: ShopProcess): number[] => (pid ? childrenOf(pid) : [])

/** Waits until a connection to each of so many workers can be made. */
export async function untilServedBy(shop: ShopProcess, count: number): Promise<number[]> {
  for (let look = 0; workersOf(shop).length !== count; look += 1) {
    if (look === LOOKS) throw new Error(`There are ${workersOf(shop).length} workers.`)
    await setTimeout(LOOK_MS)
  }
  const workers = workersOf(shop)
  for (const worker of workers) (await connectionTo(shop, worker)).destroy()
  return workers
}

/** Runs the work while all workers but one are paused, so that a new connection is that one's. */
async function alone<Result>(shop: ShopProcess, worker: number, work: () => Promise<Result>) {
  const others = workersOf(shop).filter((pid) => pid !== worker)
  for (const pid of others) process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    for (const pid of others) process.kill(pid, 'SIGCONT')
  }
}

/** A connection to this worker, which stays open. */
export async function connectionTo(shop: ShopProcess, worker: number): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await alone(shop, worker, () => askBy(agent, shop, '/healthz'))
  return agent
}

/** A connection to each worker. */
export async function connectionsTo(shop: ShopProcess): Promise<Agent[]> {
  const agents: Agent[] = []
  for (const worker of workersOf(shop)) agents.push(await connectionTo(shop, worker))
  return agents
}
