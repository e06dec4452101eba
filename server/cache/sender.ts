import type { IncomingMessage, ServerResponse } from 'node:http'
import { HSTS } from '../headers.ts'
import type { Reply } from '../operation/ask-inside.ts'
import type { Meters } from '../operation/metrics.ts'
import type { Stopping } from '../operation/stopping.ts'
import { contentHeaders, type Flat, type Form, type Kept } from './kept.ts'
import { cameByTls, has } from './requests.ts'

const MS = 1000

export type SenderOptions = {
  isTrusted: (address: string | undefined) => boolean
  idOf: (request: IncomingMessage) => string
  /** Other origins that may read the answers. */
  origins: ReadonlySet<string>
  stopping: Stopping
  meters?: Meters | undefined
}

export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** When it came, as performance.now() tells. */
  came: number
}

const [HSTS_HEADER = []] = Object.entries(HSTS)

function write({ request, response }: Exchange, status: number, headers: Flat, body: Buffer) {
  response.writeHead(status, headers)
  if (request.method === 'HEAD') response.end()
  else response.end(body)
}

/** Sends answers past the framework, with all that it would say to this client. */
export function senderOf({ isTrusted, idOf, origins, stopping, meters }: SenderOptions) {
  /** What is told to this client alone. */
  function ownHeaders(request: IncomingMessage, id: string): Flat {
    const own = ['x-request-id', id]
    const { origin } = request.headers
    if (origin !== undefined && origins.has(origin)) own.push('access-control-allow-origin', origin)
    if (cameByTls(request, isTrusted)) own.push(...HSTS_HEADER)
    if (stopping.isStopping()) own.push('connection', 'close')
    return own
  }

  function count({ request: { method = '' }, came }: Exchange, route: string, status: number) {
    meters?.answered({ method, route, status }, (performance.now() - came) / MS)
  }

  /** Sends what is kept in this form, or only that the client has it already. */
  function sendKept(exchange: Exchange, kept: Kept, form: Form) {
    const { request, response } = exchange
    const own = ownHeaders(request, idOf(request))
    const isThere = has(kept.etag, request)
    if (isThere) response.writeHead(304, kept.headers.concat(own)).end()
    else write(exchange, 200, form.headers.concat(own), form.bytes)
    count(exchange, kept.route, isThere ? 304 : 200)
  }

  /** Passes a reply on to who alone gets it. */
  function sendReply(
    exchange: Exchange,
    reply: Reply,
    { route, id }: { route: string; id: string },
  ) {
    const own = ownHeaders(exchange.request, id)
    write(exchange, reply.status, contentHeaders(reply.headers).concat(own), reply.body)
    count(exchange, route, reply.status)
  }
  return { sendKept, sendReply }
}

export type Sender = ReturnType<typeof senderOf>
