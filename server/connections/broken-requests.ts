import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { readFirst } from '#app/shared/server/bounds/read-first.ts'
import { failureBody } from '#app/shared/server/errors.ts'
import { type Failure, invalid, tooLarge, unavailable } from '#app/shared/server/failure.ts'
import { requestIdHeader } from '../operation/request-id.ts'
import type { Connections } from './connections.ts'
import { type WasLate, watchLoop } from './punctuality.ts'

/** Time for the answer to be read, before the connection goes, whatever the client does. */
const LAST_WORD_MS = 1000
const RETRY_SECONDS = 5

type Refusal = [status: number, failure: Failure]

const isTimeout = ({ code }: NodeJS.ErrnoException) => code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** Who came too late is not blamed for it where we were late ourselves. */
function refusalOf(error: NodeJS.ErrnoException, wasLate: WasLate): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') return [431, tooLarge('The request is too large.')]
  if (!isTimeout(error)) return [400, invalid('The request could not be understood.')]
  if (!wasLate()) return [408, invalid('The request took too long.')]
  return [503, unavailable('The shop is too busy just now. Please try again.', RETRY_SECONDS)]
}

function inBytes([status, failure]: Refusal, id: string, always: Record<string, string>) {
  const body = JSON.stringify(failureBody(failure, id))
  const headers = { ...always, ...requestIdHeader(id), ...failure.headers }
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}

/** Where it is told of, and whether it was our own fault. */
type Circumstances = { log: FastifyBaseLogger; wasLate: WasLate }

/** The last thing that is said on a connection. */
function refuse(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
  { log, wasLate }: Circumstances,
) {
  const id = randomUUID()
  const refusal = refusalOf(error, wasLate)
  log.debug({ requestId: id, code: error.code, res: { statusCode: refusal[0] } }, 'no request')
  if (socket.writable) socket.end(inBytes(refusal, id, headers))
  setTimeout(() => socket.destroy(), LAST_WORD_MS).unref()
}

/** What a connection was last used for. */
type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Remembers what each connection was last used for. */
function lastUses() {
  const latest = new WeakMap<Socket, Exchange>()
  return {
    of: (socket: Socket) => latest.get(socket),
    /** Written over: what a WeakMap holds is dear to collect, and this is each request. */
    note(request: IncomingMessage, response: ServerResponse) {
      const exchange = latest.get(request.socket)
      if (!exchange) {
        latest.set(request.socket, { request, response })
        return
      }
      exchange.request = request
      exchange.response = response
    },
  }
}

/**
 * Answers what is not even a request on the bare connection, with these headers, and closes it.
 * Whoever sends something broken after a request gets that request's answer first: otherwise one
 * answer would be taken for the other. Nobody is refused for being slow before all was read that
 * they have sent.
 */
export function brokenRequests(
  headers: Record<string, string>,
  { headersMs, lookMs }: Pick<Connections, 'headersMs' | 'lookMs'>,
) {
  const latest = lastUses()
  let circumstances: Circumstances | undefined
  const answer = (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || !circumstances) return
    const end = refuse.bind(null, error, socket, headers, circumstances)
    const { request, response } = latest.of(socket) ?? {}
    if (!request || !response || response.writableFinished) end()
    else if (request.complete) response.once('close', end)
    else if (response.headersSent) socket.destroy()
    else end()
  }
  return {
    watch: (app: FastifyInstance) => {
      const { wasLate, close } = watchLoop({ everyMs: lookMs, lateMs: headersMs / 2 })
      circumstances = { log: app.log, wasLate }
      app.addHook('onClose', async () => close())
    },
    /** Somebody asks for something. */
    came: latest.note,
    answer: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET') return
      if (!isTimeout(error)) return answer(error, socket)
      const before = latest.of(socket)?.request
      readFirst(() => {
        // else its headers lay there, and nobody had read them
        if (latest.of(socket)?.request === before) answer(error, socket)
      })
    },
  }
}

/** Which shop is meant must be said once (RFC 9112 § 3.2), so that nobody on the way takes it for another. */
export function refuseUnclearHost(app: FastifyInstance) {
  app.addHook('onRequest', async ({ raw: { httpVersion, rawHeaders, headers } }, reply) => {
    const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text))
    if (hosts.length > 1 || (httpVersion === '1.1' && headers.host === undefined)) {
      reply.header('connection', 'close')
      throw invalid('The request must name its host once.')
    }
  })
}
