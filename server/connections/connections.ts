import { createServer, type RequestListener, type Server } from 'node:http'
import { networkOf } from '#app/shared/server/limits/client-keys.ts'

/** A search word of 5,000 emoji is an address of 60,000 characters. */
export const LONGEST_ADDRESS = 100_000

/** The limits of connections, in milliseconds, bytes and connections; most are Node's own settings. */
export const CONNECTIONS = {
  /** All headers must have arrived by then, counted from the connection on for its first request. */
  headersTimeout: 20_000,
  /** A whole request must have arrived by then. The largest is an import, which is read as it is checked. */
  requestTimeout: 600_000,
  /** A connection is closed when nothing was sent or read for so long. */
  idleTimeout: 120_000,
  /** How long a connection waits for its next request: longer than proxies do, which must end it first. */
  keepAliveTimeout: 72_000,
  /** How often the timeouts of headers and requests are checked. */
  connectionsCheckingInterval: 5000,
  maxHeaderSize: LONGEST_ADDRESS + 16 * 1024,
  maxConnections: 5000,
  /** Of one IPv4 address or IPv6 /64, unless it is a trusted proxy. An office is behind one address. */
  maxPerNetwork: 500,
}
export type ConnectionLimits = typeof CONNECTIONS

/** Lets each network have only so many connections; `isExempt` says whose are not counted. */
function capPerNetwork(
  server: Server,
  max: number,
  isExempt: (address: string | undefined) => boolean,
) {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    if (isExempt(socket.remoteAddress)) return
    const network = networkOf(socket.remoteAddress ?? '')
    const count = open.get(network) ?? 0
    if (count >= max) return socket.destroy()
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

/** Makes an HTTP server with these limits. */
export function openServer(
  limits: ConnectionLimits,
  isExempt: (address: string | undefined) => boolean,
  listener: RequestListener,
): Server {
  const { idleTimeout, maxConnections, maxPerNetwork, ...options } = limits
  // a missing host is refused like every other failure: see client-errors.ts
  const settings = { ...options, insecureHTTPParser: false, requireHostHeader: false }
  const server = createServer(settings, listener)
  server.maxConnections = maxConnections
  capPerNetwork(server, maxPerNetwork, isExempt)
  return server.setTimeout(idleTimeout)
}
