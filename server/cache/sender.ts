import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from '../headers.ts'
import type { Meters } from '../operation/metrics.ts'
import type { Stopping } from '../operation/stopping.ts'
import type { Entry, Form } from './entries.ts'
import { cameByTls, hasETag } from './request-facts.ts'

const MS = 1000

export type SenderOptions = {
  isTrusted: (address: string | undefined) => boolean
  idOf: (request: IncomingMessage) => string
  /** Other origins that may read the answers. */
  origins: ReadonlySet<string>
  /** The header of answers to requests by TLS. */
  hsts: Headers
  stopping: Stopping
  meters?: Meters | undefined
}

export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** When the request arrived, by performance.now(). */
  came: number
  /** The request id, if one was created. */
  id?: string
}

/** Sends answers without the framework, with the headers that it would add. */
export function openSender({ isTrusted, idOf, origins, hsts, stopping, meters }: SenderOptions) {
  const [hstsHeader = []] = Object.entries(hsts)
  /** The headers of this request alone. */
  function requestHeaders({ request, id = idOf(request) }: Exchange): string[] {
    const own = ['x-request-id', id]
    const { origin } = request.headers
    if (origin !== undefined && origins.has(origin)) own.push('access-control-allow-origin', origin)
    if (cameByTls(request, isTrusted)) own.push(...hstsHeader)
    if (stopping.isStopping()) own.push('connection', 'close')
    return own
  }

  /** Sends an entry in this form, or 304 when the client has it. */
  return (exchange: Exchange, entry: Entry, form: Form) => {
    const { request, response, came } = exchange
    const { method = '' } = request
    const isKnown = entry.etag !== undefined && hasETag(entry.etag, request)
    const status = isKnown ? 304 : entry.status
    response.writeHead(status, (isKnown ? entry : form).headers.concat(requestHeaders(exchange)))
    if (isKnown || method === 'HEAD') response.end()
    else response.end(form.bytes)
    meters?.answered({ method, route: entry.route, status }, (performance.now() - came) / MS)
  }
}

export type Sender = ReturnType<typeof openSender>
