import { callThrough } from './call.ts'

/** The key of the session in local storage (spec §3): `{ user, token }` as JSON. */
export const SESSION_KEY = 'auth'

/** A token that is a valid header value: any other would break every request of this browser. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value)

function storedToken(): string {
  try {
    const token = JSON.parse(localStorage.getItem(SESSION_KEY) ?? '{}')?.token
    return isToken(token) ? token : ''
  } catch {
    return ''
  }
}

/** Whether this browser has a session. */
export const isSignedIn = () => storedToken() !== ''

/** The decoded cookie; a malformed encoding is used as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Spec §7: the raw token, and the XSRF cookie where a proxy sets one. */
export function credentials(): Record<string, string> {
  const headers: Record<string, string> = {}
  const token = storedToken()
  if (token !== '') headers.authorization = token
  const [, xsrf] = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? []
  if (xsrf) headers['x-xsrf-token'] = decoded(xsrf)
  return headers
}

/**
 * The longest wait for an answer, in milliseconds: longer than the shop takes for any, also where it
 * waits for the payment provider. A call that takes longer fails like one without a connection.
 */
export const ANSWER_TIMEOUT_MS = 60_000

/** The longest wait for the answer to a file, which a slow connection sends for minutes: the server's own limit. */
export const UPLOAD_TIMEOUT_MS = 600_000

const hasFile = (body: string | FormData | undefined) =>
  body instanceof FormData && [...body.values()].some((value) => value instanceof File)

/** Aborts a request that is not answered in time, or by the signal. */
function limited(body: string | FormData | undefined, signal?: AbortSignal): AbortSignal {
  const abort = new AbortController()
  setTimeout(() => abort.abort(), hasFile(body) ? UPLOAD_TIMEOUT_MS : ANSWER_TIMEOUT_MS)
  signal?.addEventListener('abort', () => abort.abort())
  return abort.signal
}

const callWith = (optionsFor: (body: string | FormData | undefined) => RequestInit) =>
  callThrough((url, init) => fetch(url, { ...init, ...optionsFor(init.body) }), credentials)

/** Calls the API from the browser with the stored session. */
export const call = callWith((body) => ({ signal: limited(body) }))

/** Calls the API with `keepalive`: the request is sent although the page unloads. */
export const lastingCall = callWith(() => ({ keepalive: true }))

/** Calls the API with an abort signal. */
export const abortable = (signal: AbortSignal) =>
  callWith((body) => ({ signal: limited(body, signal) }))
