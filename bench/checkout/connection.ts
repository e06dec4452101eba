/** A connection that sends one HTTP request after the other, with less processor time than a full client. */
import { once } from 'node:events'
import { connect } from 'node:net'

type Post = { path: string; headers: Record<string, string>; body: object }

export type Connection = {
  /** Sends a request, and resolves with the parsed JSON of its answer. Throws unless the status is 200. */
  post: (request: Post) => Promise<unknown>
  close: () => void
}

const END_OF_HEADERS = '\r\n\r\n'

type Answer = { status: number; text: string }

/** The answer in these bytes; null as long as they are not all of it. */
function answerIn(bytes: Buffer): Answer | null {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const [, length] = /\ncontent-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error(`An answer has no length:\n${head}`)
  const from = end + END_OF_HEADERS.length
  if (bytes.length < from + Number(length)) return null
  return { status: Number(head.slice(9, 12)), text: bytes.toString('utf8', from) }
}

function textOf(host: string, { path, headers, body }: Post): string {
  const text = JSON.stringify(body)
  const all = {
    host,
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}${END_OF_HEADERS}${text}`
}

/** Opens a connection to a server on this machine. */
export async function openConnection(address: string): Promise<Connection> {
  const { host, hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let pending: PromiseWithResolvers<Answer> | undefined
  let received: Buffer = Buffer.alloc(0)
  const fail = (error: Error) => pending?.reject(error)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The shop closed a connection.')))
  socket.on('data', (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    const answer = answerIn(received)
    if (!answer) return
    received = Buffer.alloc(0)
    pending?.resolve(answer)
  })
  return {
    async post(request) {
      pending = Promise.withResolvers<Answer>()
      socket.write(textOf(host, request))
      const { status, text } = await pending.promise
      if (status !== 200) throw new Error(`${request.path} answered ${status}: ${text}`)
      return JSON.parse(text)
    },
    close() {
      pending = undefined
      socket.destroy()
    },
  }
}
