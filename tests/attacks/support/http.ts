/** Raw HTTP requests: any verb, path and header, also repeated ones. */
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export type Headers = Record<string, string | string[]>

export type Attempt = {
  method: string
  /** Path and query, sent byte for byte. */
  path: string
  headers?: Headers | undefined
  body?: string | Buffer | undefined
}

export type Response = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string }

export type Send = (attempt: Attempt) => Promise<Response>

/** Sends requests to `address` over real connections. Rejects only when the connection fails. */
export const sendTo =
  (address: string, agent: Agent): Send =>
  ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(address)
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const options = { hostname, port, path, method, agent, headers: { ...length, ...headers } }
      request(options, async (answer) => {
        const bytes = await buffer(answer)
        const status = answer.statusCode ?? 0
        resolve({ status, headers: answer.headers, bytes, text: bytes.toString() })
      })
        .once('error', reject)
        .end(body)
    })

export const get = (path: string): Attempt => ({ method: 'GET', path })

/** A request with these headers, such as a session's. */
export const by = (headers: Headers, attempt: Attempt): Attempt => ({
  ...attempt,
  headers: { ...attempt.headers, ...headers },
})

export const asJson = (value: unknown) => ({
  headers: { 'content-type': 'application/json' } as Headers,
  body: JSON.stringify(value),
})

export const bodyOf = ({ body }: Attempt) => String(body ?? '')
