import { createServer, type RequestListener, type Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import { networksOf } from '#app/shared/server/limits/who.ts'

/** A search word of 5,000 emoji is an address of 60,000 characters. */
export const LONGEST_ADDRESS = 100_000

/** How much time and room a client may take of the server, in milliseconds, bytes and connections. */
export const CONNECTIONS = {
  /** All headers must have arrived by then, counted from the connection on for its first request. */
  headersMs: 20_000,
  /** So much of a body must come in such a time, if not its end: silence is cut off, not size. */
  pace: { bytes: 64 * 1024, ms: 60_000 },
  /** Nothing came and nothing was taken for so long: nobody is there. */
  silenceMs: 120_000,
  /** A connection waits so long for its next request: longer than proxies do, who end it first then. */
  idleMs: 72_000,
  /** How often these are looked at. */
  lookMs: 5000,
  headerBytes: LONGEST_ADDRESS + 16 * 1024,
  /** Open at once: more are not let in. */
  most: 5000,
  /** Of one address, unless it is a trusted proxy. An office is behind one; each browser opens six. */
  mostOfAddress: 500,
  /** Of one network of IPv6 of 56 bits, and of 48, which may be a single tenant's. */
  mostOfWider: [1000, 2000],
}
export type Connections = typeof CONNECTIONS

/** The server's own settings of these, where unset means without end. */
export const serverOptions = (connections: Connections) =>
  ({
    // Node would cut off by size what is slow or has to wait
    requestTimeout: 0,
    connectionTimeout: connections.silenceMs,
    keepAliveTimeout: connections.idleMs,
    http: {
      headersTimeout: connections.headersMs,
      connectionsCheckingInterval: connections.lookMs,
      maxHeaderSize: connections.headerBytes,
      insecureHTTPParser: false,
      // answered by ourselves, in the one shape of failures
      requireHostHeader: false,
    },
  }) satisfies FastifyHttpOptions<Server>

/** Makes the server with these settings, as the framework would. */
export function openServer(connections: Connections, listener: RequestListener): Server {
  const { http, requestTimeout, keepAliveTimeout, connectionTimeout } = serverOptions(connections)
  const server = createServer({ ...http, requestTimeout, keepAliveTimeout }, listener)
  return server.setTimeout(connectionTimeout)
}

/** Counts what goes on under some names; a name that nothing goes on under is let go of. */
function counter() {
  const counts = new Map<string, number>()
  const add = (name: string, by: number) => {
    const count = (counts.get(name) ?? 0) + by
    if (count > 0) counts.set(name, count)
    else counts.delete(name)
  }
  return { of: (name: string) => counts.get(name) ?? 0, add }
}

/**
 * Lets only so many connections stand open, and only so many of one address and the networks that
 * it is in, so that nobody can take all of them; `isFree` says whose are not counted.
 */
export function capConnections(
  server: Server,
  { most, mostOfAddress, mostOfWider }: Connections,
  isFree: (address: string | undefined) => boolean,
) {
  const open = counter()
  const bounds = [mostOfAddress, ...mostOfWider]
  server.maxConnections = most
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (isFree(remoteAddress)) return
    const networks = networksOf(remoteAddress ?? '')
    if (networks.some((network, at) => open.of(network) >= (bounds[at] ?? most))) {
      socket.destroy()
      return
    }
    for (const network of networks) open.add(network, 1)
    socket.once('close', () => {
      for (const network of networks) open.add(network, -1)
    })
  })
}
