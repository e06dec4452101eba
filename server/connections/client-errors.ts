import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { failureBody } from '#app/shared/server/errors.ts'
import {
  type Failure,
  invalid,
  notUnderstood,
  requestTooLarge,
  unsupportedMedia,
} from '#app/shared/server/failure.ts'
import { requestIdHeader } from '../operation/requests.ts'

/** Time for the client to read the answer before the connection is closed. */
const CLOSE_AFTER_MS = 1000

type ClientError = NodeJS.ErrnoException

function failureOf({ code }: ClientError): [status: number, failure: Failure] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, requestTooLarge()]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, invalid('The request took too long.')]
  return [400, notUnderstood()]
}

function toBytes(status: number, failure: Failure, headers: Record<string, string>, id: string) {
  const body = JSON.stringify(failureBody(failure, id))
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...headers, ...requestIdHeader(id) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n')
}

/**
 * Answers requests that cannot be parsed or that time out, with these headers, and closes their
 * connections. A valid request before it is answered first: otherwise a proxy would assign the
 * answers wrongly.
 */
export function clientErrors(headers: Record<string, string>, log: () => FastifyBaseLogger) {
  const latest = new WeakMap<Socket, ServerResponse>()
  const refuse = (error: ClientError, socket: Socket) => {
    const id = randomUUID()
    const [status, failure] = failureOf(error)
    log().debug({ requestId: id, code: error.code, res: { statusCode: status } }, 'no request')
    if (socket.writable) socket.end(toBytes(status, failure, headers, id))
    setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
  }
  return {
    /** Tracks the current response of each connection. */
    track: (request: IncomingMessage, response: ServerResponse) => {
      latest.set(request.socket, response)
    },
    handle(error: ClientError, socket: Socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      const response = latest.get(socket)
      if (!response || response.writableFinished) refuse(error, socket)
      else if (response.req.complete) response.once('close', () => refuse(error, socket))
      else if (response.headersSent) socket.destroy()
      else refuse(error, socket)
    },
  }
}

/** Whether there is exactly one Host header, where the version of HTTP requires one. */
export function hasOneHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && headers.host === undefined && httpVersion === '1.0')
}

/**
 * Refuses a request without exactly one Host header (RFC 9112 § 3.2), and closes its connection; and one
 * with a compressed body, because a few bytes could expand beyond every body limit (decompression bomb).
 * Browsers do not compress request bodies.
 */
export function refuseUnsupportedRequests(app: FastifyInstance) {
  app.addHook('onRequest', async ({ raw, headers }, reply) => {
    if (!hasOneHost(raw)) {
      reply.header('connection', 'close')
      throw invalid('The request must have exactly one Host header.')
    }
    const { 'content-encoding': encoding = '' } = headers
    if (!['', 'identity'].includes(encoding.trim().toLowerCase()))
      throw unsupportedMedia('Compressed request bodies are not supported.')
  })
}

/** In the absolute form of a request target (RFC 9112 § 3.2.2), which is for proxies. */
const ORIGIN = /^https?:\/\/[^/?#]*/i

/** Whether the percent-encoding of a text is valid. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Handles a URL with invalid percent-encoding: such a page gets the 404 page, with its percent
 * signs taken literally, whatever the Accept header. The API refuses it.
 */
export function readableAddress({ url: target = '/' }: Pick<IncomingMessage, 'url'>): string {
  const url = target.replace(ORIGIN, '') || '/'
  const [path = '', ...query] = url.split('?')
  if (path.startsWith('/api/') || isDecodable(path)) return url
  return [path.replaceAll('%', '%25'), ...query].join('?')
}
