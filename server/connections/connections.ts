import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pLimit from 'p-limit'
import { aborted } from '#app/shared/server/failure.ts'
import { networkOf } from '#app/shared/server/limits/client-keys.ts'
import { tooManyRequests } from '#app/shared/server/limits/limits.ts'
import { acquireSlot, slotsByNetwork } from '#app/shared/server/limits/slots.ts'

/** A keyword of 5,000 emoji is a URL of 60,000 characters. */
export const MAX_URL_LENGTH = 100_000

/** Limits of connections, in milliseconds, bytes and numbers; most are Node's own settings. */
export const CONNECTIONS = {
  /** The timeout of all headers; for the first request from the connection on. */
  headersTimeout: 20_000,
  /**
   * The timeout of a whole request. The largest is an import, which is checked while it is read.
   */
  requestTimeout: 600_000,
  /** A connection without traffic is closed after this time. */
  idleTimeout: 120_000,
  /** Keep-alive timeout: longer than that of proxies, which must close idle connections first. */
  keepAliveTimeout: 72_000,
  /** The interval of checking the timeouts of headers and requests. */
  connectionsCheckingInterval: 5000,
  maxHeaderSize: MAX_URL_LENGTH + 16 * 1024,
  maxConnections: 5000,
  /**
   * Connections per IPv4 address or IPv6 /64, except for trusted proxies. An office has one
   * address.
   */
  maxPerNetwork: 500,
  /** Requests of a connection that wait for the answer to an earlier one. Browsers and proxies send none. */
  maxPipelined: 16,
}
export type ConnectionLimits = typeof CONNECTIONS

/** Limits the connections per network; `isExempt` addresses are not counted. */
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

/**
 * Stops the parser, which would otherwise go on with the requests that have arrived, and disconnects. Node
 * has no option for it: 500 connections that send 64 KiB of pipelined requests end a process with a heap of
 * 512 MB.
 */
function cut(socket: Socket & { parser?: { onIncoming: () => number } | null }) {
  const asUpgrade = 2
  if (socket.parser) socket.parser.onIncoming = () => asUpgrade
  socket.destroy()
}

/**
 * Disconnects a client above `max` pipelined requests. Node parses what it reads, up to 64 KiB, at
 * once, and so many requests of many connections would use up the memory.
 */
function limitPipelining(max: number, listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  const count = (socket: Socket, change: number) => {
    const counted = (waiting.get(socket) ?? 0) + change
    waiting.set(socket, counted)
    return counted
  }
  // Node gives a response its socket when the earlier ones are sent.
  const isPipelined = (response: ServerResponse) => response.socket === null
  return (request, response) => {
    const { socket } = request
    if (isPipelined(response)) {
      if (count(socket, 1) > max) return cut(socket)
      response.once('close', () => count(socket, -1))
    }
    return listener(request, response)
  }
}

/** Creates an HTTP server with these limits. */
export function openServer(
  limits: ConnectionLimits,
  isExempt: (address: string | undefined) => boolean,
  listener: RequestListener,
): Server {
  const { idleTimeout, maxConnections, maxPerNetwork, maxPipelined, ...options } = limits
  // a missing host is refused like other client errors: see client-errors.ts
  const settings = { ...options, insecureHTTPParser: false, requireHostHeader: false }
  const server = createServer(settings, limitPipelining(maxPipelined, listener))
  server.maxConnections = maxConnections
  capPerNetwork(server, maxPerNetwork, isExempt)
  return server.setTimeout(idleTimeout)
}

/** Larger bodies, in bytes, are counted. Those of the shop's own pages are smaller. */
const LARGE_BODY = 64 * 1024
/** Forms and files of one network that are being received: a slow client has minutes for each. */
const MAX_UPLOADS = 40
/**
 * Large JSON bodies at once: they are collected and parsed in memory, and stay there until the answer. Further
 * ones wait unread.
 */
const LARGE_JSON = { concurrent: 16, ofNetwork: 4, waiting: 60 }
/** A large JSON body has this time to arrive, in milliseconds: slow clients do not occupy the slots. */
const MAX_ARRIVAL_MS = 20_000
/** `Retry-After`, in milliseconds. */
const RETRY_MS = 60_000

const refusal = () => tooManyRequests('Too much was sent at once.', RETRY_MS)

type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Whether a body is large, or of unknown size, and has not arrived yet. */
const isLarge = ({ headers, raw }: FastifyRequest) =>
  !raw.complete && !(Number(headers['content-length']) <= LARGE_BODY)

/** Limits how many forms and files one network sends at the same time. */
function limitUploads(): Limit {
  const ofNetwork = { concurrency: MAX_UPLOADS, queue: 0, refusal }
  const slotsOf = slotsByNetwork(ofNetwork, (receive) => receive())
  return async ({ ip, raw }, reply) => {
    const release = await acquireSlot(slotsOf(ip))
    finished(raw, release)
    // an answer may be sent before the body has arrived
    reply.raw.once('finish', release)
  }
}

/** Disconnects a client whose body does not arrive in time. */
function endSlowBody(raw: FastifyRequest['raw']) {
  const late = setTimeout(() => raw.destroy(), MAX_ARRIVAL_MS)
  finished(raw, () => clearTimeout(late))
}

/** Limits the large JSON bodies of a network and of the process, from their first byte to their answer. */
function limitLargeJson({ concurrent, ofNetwork, waiting }: typeof LARGE_JSON): Limit {
  const bounds = { concurrency: ofNetwork, queue: waiting, refusal }
  const slotsOf = slotsByNetwork(bounds, pLimit(concurrent))
  return async ({ ip, raw }, reply) => {
    const release = await acquireSlot(slotsOf(ip))
    finished(reply.raw, release)
    // the client disconnected while its request waited
    if (raw.destroyed) throw aborted()
    endSlowBody(raw)
  }
}

/** Limits large bodies, because most are collected in memory. */
export function limitLargeBodies(app: FastifyInstance): void {
  const limits = { json: limitLargeJson(LARGE_JSON), upload: limitUploads() }
  app.addHook('onRoute', (route) => {
    const { access, isJson } = route.config ?? {}
    if (access === undefined || ['GET', 'HEAD'].includes(`${route.method}`)) return
    const limit = limits[isJson ? 'json' : 'upload']
    const limitIfLarge: Limit = async (request, reply) => {
      if (isLarge(request)) await limit(request, reply)
    }
    route.onRequest = [route.onRequest ?? [], limitIfLarge].flat()
  })
}
