import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const LOOK_MS = 500

/** A load balancer as many have it: keeps connections, repeats nothing, asks who is ready. */
export type LoadBalancer = {
  address: string
  /** Sends everybody to these shops in turn, as long as they say that they are ready. */
  balance: (addresses: string[]) => void
  /** How often it had nobody to ask, or no answer. */
  failures: string[]
  isReady: (address: string) => boolean
  close: () => Promise<void>
}

export async function openLoadBalancer(): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<string>()
  const failures: string[] = []
  const closing = new AbortController()
  let turn = 0

  const fail = (response: ServerResponse, why: string) => {
    failures.push(why)
    if (!response.headersSent) response.writeHead(502)
    response.end()
  }
  const pass = (from: IncomingMessage, response: ServerResponse) => {
    const target = [...ready][turn++ % Math.max(ready.size, 1)]
    if (!target) return fail(response, 'nobody is ready')
    const { method, headers, url } = from
    const to = request(new URL(url ?? '/', target), { agent, method, headers }, (answer) => {
      const { connection: _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, kept)
      answer.pipe(response)
      answer.once('error', (error) => fail(response, `${url}: ${error.message}`))
    })
    to.once('error', (error) => fail(response, `${url}: ${error.message}`))
    from.pipe(to)
  }
  const watch = async (address: string) => {
    while (!closing.signal.aborted) {
      const { ok } = await fetch(`${address}/readyz`).catch(() => ({ ok: false }))
      if (ok) ready.add(address)
      else ready.delete(address)
      await setTimeout(LOOK_MS)
    }
  }

  const server = createServer(pass)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let watching: Promise<void>[] = []
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    balance: (addresses) => {
      watching = addresses.map(watch)
    },
    failures,
    isReady: (address) => ready.has(address),
    close: async () => {
      closing.abort()
      await Promise.all(watching)
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
