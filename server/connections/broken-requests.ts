import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { failureBody } from '#app/shared/server/errors.ts'
import { type Failure, invalid, tooLarge } from '#app/shared/server/failure.ts'

/** Time for the answer to be read, before the connection goes, whatever the client does. */
const LAST_WORD_MS = 1000

function refusalOf({ code }: NodeJS.ErrnoException): [status: number, failure: Failure] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, tooLarge('The request is too large.')]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, invalid('The request took too long.')]
  return [400, invalid('The request could not be understood.')]
}

function inBytes(error: NodeJS.ErrnoException, headers: Record<string, string>) {
  const [status, failure] = refusalOf(error)
  const body = JSON.stringify(failureBody(failure))
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

type Exchange = { request: IncomingMessage; response: ServerResponse }

/**
 * Answers what is not even a request on the bare connection, with these headers, and closes it.
 * Whoever sends something broken after a request gets that request's answer first: otherwise one
 * answer would be taken for the other.
 */
export function brokenRequests(headers: Record<string, string>) {
  const latest = new WeakMap<Socket, Exchange>()
  return {
    watch: (server: Server) =>
      server.on('request', (request: IncomingMessage, response: ServerResponse) =>
        latest.set(request.socket, { request, response }),
      ),
    answer: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      const { request, response } = latest.get(socket) ?? {}
      const refuse = () => {
        if (socket.writable) socket.end(inBytes(error, headers))
        setTimeout(() => socket.destroy(), LAST_WORD_MS).unref()
      }
      if (!request || !response || response.writableFinished) refuse()
      else if (request.complete) response.once('close', refuse)
      else if (response.headersSent) socket.destroy()
      else refuse()
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
