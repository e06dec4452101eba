/** An answer of the shop; status 0 when the connection failed. */
export type Answer<Body> = {
  status: number
  body: Body & { code?: string; message?: string }
  retryAfter: string | null
}

/** `address`: the caller's address, behind a trusted proxy. */
type Sent = { token: string; body?: unknown; address?: string }

export type Client = <Body>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  sent: Sent,
) => Promise<Answer<Body>>

const TIMEOUT_MS = 60_000

const request = (method: string, { token, body, address }: Sent): RequestInit => ({
  method,
  signal: AbortSignal.timeout(TIMEOUT_MS),
  headers: {
    authorization: token,
    ...(body !== undefined && JSON_TYPE),
    ...(address && { 'x-forwarded-for': address }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

const JSON_TYPE = { 'content-type': 'application/json' }

/** Calls the API at an address that may change from call to call. */
export const clientOf =
  (address: () => string): Client =>
  async (method, path, sent) => {
    try {
      const answer = await fetch(`${address()}/api/v1${path}`, request(method, sent))
      const retryAfter = answer.headers.get('retry-after')
      return { status: answer.status, body: JSON.parse(await answer.text()), retryAfter }
    } catch {
      return { status: 0, body: JSON.parse('{}'), retryAfter: null }
    }
  }
