import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { INSIDE, inside } from './request-id.ts'

export type Question = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
  /** The id that the log knows it by. */
  id: string
  /** The address that limits count. */
  from: string
}

export type Reply = {
  status: number
  /** By their names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

export type AskInside = (question: Question) => Promise<Reply>

const requests = new WeakSet<IncomingMessage>()

/** Whether a request was made inside the process. */
export const isInside = (request: IncomingMessage) => requests.has(request)

/** A line that leads nowhere: what is written on it is kept. */
function openLine() {
  const written: Buffer[] = []
  const line = new Duplex({
    read() {},
    write(bytes, _encoding, done) {
      written.push(bytes)
      done()
    },
  })
  Object.assign(line, { remoteAddress: INSIDE })
  // all that a request wants of its socket
  return { socket: line as unknown as Socket, written }
}

const END_OF_HEADERS = '\r\n\r\n'

/** Reads what was written: in HTTP/1.0, so the body goes to the end. */
function read(bytes: Buffer): Reply {
  const end = bytes.indexOf(END_OF_HEADERS)
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return {
    ...{ status: Number(first.split(' ')[1]), headers },
    body: bytes.subarray(end + END_OF_HEADERS.length),
  }
}

function requestOf(question: Question, socket: Socket) {
  const { method, url, headers, body, id, from } = question
  const request = new IncomingMessage(socket)
  requests.add(request)
  const as = inside(id, from).headers
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
  Object.assign(request, { httpVersionMajor: 1, httpVersionMinor: 0, httpVersion: '1.0' })
  Object.assign(request, { method, url, complete: true })
  request.headers = { ...headers, ...length, ...as }
  if (body !== undefined) request.push(body)
  request.push(null)
  return request
}

/**
 * Makes a request inside the process. It is made of the very objects that the server makes of a
 * visitor's: where Node meets two kinds of them, as Fastify's `inject` brings another, it is slower
 * by half with every request from then on.
 */
export const askInsideOf =
  (app: FastifyInstance): AskInside =>
  async (question) => {
    await app.ready()
    const { socket, written } = openLine()
    const request = requestOf(question, socket)
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    response.once('finish', () => {
      response.detachSocket(socket)
      response.emit('close')
      resolve()
    })
    // a handler that gives up
    socket.once('close', () => reject(new Error('The request was given up.')))
    app.routing(request, response)
    await promise
    return read(Buffer.concat(written))
  }
