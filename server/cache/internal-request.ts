import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { cacheTagsOf } from '#app/shared/server/cache/cache-tags.ts'
import { INTERNAL_ADDRESS, requestIdHeader } from '../operation/requests.ts'

/** A GET without a body. */
type InternalRequest = {
  url: string
  headers: Record<string, string>
  /** The request id in the log. */
  id: string
  /** The visitor's address, which limits count. */
  ip: string
}

export type InternalResponse = {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: Buffer
  /** The cache tags; undefined when the answer must not be cached. */
  tags: ReadonlySet<string> | undefined
}

/** A socket without a connection that collects the written bytes. */
function openSocket() {
  const written: Buffer[] = []
  const stream = new Duplex({
    read() {},
    write(bytes, _encoding, done) {
      written.push(bytes)
      done()
    },
  })
  Object.assign(stream, { remoteAddress: INTERNAL_ADDRESS })
  // a request uses nothing else of its socket
  return { socket: stream as unknown as Socket, written }
}

function createRequest({ url, headers, id, ip }: InternalRequest, socket: Socket) {
  const request = new IncomingMessage(socket)
  const version = { httpVersionMajor: 1, httpVersionMinor: 0, httpVersion: '1.0' }
  Object.assign(request, { ...version, method: 'GET', url, complete: true })
  request.headers = { ...headers, ...requestIdHeader(id), 'x-forwarded-for': ip }
  request.push(null)
  return request
}

const END_OF_HEADERS = '\r\n\r\n'

/** Parses an HTTP/1.0 response, whose body extends to the end. */
function parse(bytes: Buffer) {
  const end = bytes.indexOf(END_OF_HEADERS)
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  const body = bytes.subarray(end + END_OF_HEADERS.length)
  return { status: Number(first.split(' ')[1]), headers, body }
}

/**
 * Makes a request inside the process. Fastify's `inject` creates objects of other shapes than the
 * server does, which deoptimizes Node's code for later requests
 * (docs/decisions/0020-the-page-cache.md).
 */
export async function requestInternally(
  app: FastifyInstance,
  sent: InternalRequest,
): Promise<InternalResponse> {
  await app.ready()
  const { socket, written } = openSocket()
  const request = createRequest(sent, socket)
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  response.once('finish', () => {
    response.detachSocket(socket)
    response.emit('close')
    resolve()
  })
  socket.once('close', () => reject(new Error('The handler closed the connection.')))
  app.routing(request, response)
  await promise
  return { ...parse(Buffer.concat(written)), tags: cacheTagsOf(request) }
}
