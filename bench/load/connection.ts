import { once } from 'node:events'
import { connect } from 'node:net'

/** The client of a request: its session, and the address that a proxy forwards. */
type Person = { token: string; network: string }

/** A request of the benchmarks. */
export type LoadRequest = {
  method?: 'GET' | 'POST'
  path: string
  body?: object
  person?: Person
  /** Uncompressed, as the page cache renders it. */
  plain?: boolean
}

export type Answer = { status: number; body: Buffer }

/** A keep-alive connection with one request at a time. */
export type Connection = {
  ask: (request: string) => Promise<Answer>
  close: () => void
}

const END_OF_HEADERS = '\r\n\r\n'
const END_OF_CHUNKS = '0\r\n\r\n'

/** A request as bytes, created once and sent often. */
export function requestOf(
  address: string,
  { method, path, body, person, plain }: LoadRequest,
): string {
  const text = body && JSON.stringify(body)
  const headers = [
    `${method ?? 'GET'} ${path} HTTP/1.1`,
    `Host: ${new URL(address).host}`,
    'User-Agent: bench',
    // an answer whose body is read is not compressed
    ...(person
      ? [`Authorization: ${person.token}`, `X-Forwarded-For: ${person.network}`]
      : ['Accept: image/avif,image/webp,*/*']),
    ...(person || plain ? [] : ['Accept-Encoding: gzip, deflate, br']),
    ...(text
      ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]
      : []),
  ]
  return `${headers.join('\r\n')}${END_OF_HEADERS}${text ?? ''}`
}

type Head = { status: number; begin: number; length: number | null }

/** Parses the head of an answer; null while it is incomplete. */
function headOf(bytes: Buffer): Head | null {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end < 0) return null
  const text = bytes.toString('latin1', 0, end)
  const [, length] = /\ncontent-length: (\d+)/i.exec(text) ?? []
  const status = Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
  const begin = end + END_OF_HEADERS.length
  return { status, begin, length: length === undefined ? null : Number(length) }
}

/** Whether the answer is complete. */
const isWhole = (bytes: Buffer, { begin, length }: Head) =>
  length === null
    ? bytes.toString('latin1', bytes.length - END_OF_CHUNKS.length) === END_OF_CHUNKS
    : bytes.length >= begin + length

export async function openConnection(address: string): Promise<Connection> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  let waiting: PromiseWithResolvers<Answer> | undefined
  let came: Buffer = Buffer.alloc(0)
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail).on('close', () => fail(new Error('It closed the connection.')))
  socket.on('data', (bytes) => {
    came = came.length === 0 ? bytes : Buffer.concat([came, bytes])
    const head = headOf(came)
    if (!head || !isWhole(came, head)) return
    const answer = { status: head.status, body: came.subarray(head.begin) }
    came = Buffer.alloc(0)
    waiting?.resolve(answer)
  })
  return {
    ask(request) {
      waiting = Promise.withResolvers<Answer>()
      socket.write(request)
      return waiting.promise
    },
    close: () => {
      waiting = undefined
      socket.destroy()
    },
  }
}
