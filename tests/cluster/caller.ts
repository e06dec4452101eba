import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** An answer; status 0 when there was none. */
export type Reply = { status: number; retryAfter: string | null; text: string }

type Sent = { method?: string; token?: string; body?: string; type?: string }

export type Caller = (path: string, sent?: Sent) => Promise<Reply>

const TIMEOUT_MS = 60_000
const NO_REPLY: Reply = { status: 0, retryAfter: null, text: '' }

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : '')

/** An address of this machine: each client has its own, because limits are counted by address. */
export const localAddress = (n: number) => `127.1.${n >> 8}.${n & 255}`

/** Sends requests to the proxy from an address, over a kept connection if `isKept`. */
export function callerFrom(proxy: string, from: string, isKept = false): Caller {
  const agent = new Agent({ keepAlive: isKept, localAddress: from, timeout: TIMEOUT_MS })

  const send = (path: string, { method = 'GET', token, body, type }: Sent) =>
    new Promise<Reply>((resolve, reject) => {
      const headers = {
        ...(token && { authorization: token }),
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      }
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const asking = request(proxy + path, { agent, method, headers, signal })
      asking.once('response', (answer: IncomingMessage) => {
        const { statusCode: status = 0, headers: found } = answer
        text(answer).then(
          (read) => resolve({ status, retryAfter: found['retry-after'] ?? null, text: read }),
          reject,
        )
      })
      asking.once('error', (error) => {
        // a kept connection that the proxy closes at this moment: browsers send it again
        const isStale = asking.reusedSocket && method === 'GET' && codeOf(error) === 'ECONNRESET'
        if (isStale) send(path, { method, ...(token && { token }) }).then(resolve, reject)
        else reject(error)
      })
      asking.end(body)
    })

  return (path, sent = {}) => send(path, sent).catch(() => NO_REPLY)
}
