import type { Endpoint } from '../contract/endpoint.ts'
import { address, CallFailure, callThrough, failureBody, type Values } from './call.ts'

/** Where the session lies in local storage (spec §3): `{ user, token }` as JSON. */
export const SESSION_KEY = 'auth'

/** What a header can carry: any other token would stop every request of this browser. */
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

/** Whether this browser holds a session. */
export const isSignedIn = () => storedToken() !== ''

const cookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** As a cookie's writer meant it; what is no proper encoding is meant as it stands. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Spec §7: the raw token with every request, and the XSRF cookie, where a proxy sets one. */
function credentials(): Record<string, string> {
  const headers: Record<string, string> = {}
  const token = storedToken()
  if (token !== '') headers.authorization = token
  const xsrf = cookie('XSRF-TOKEN')
  if (xsrf) headers['x-xsrf-token'] = decoded(xsrf)
  return headers
}

/** Calls the API from the browser, as whoever is signed in there. */
export const call = callThrough((url, init) => fetch(url, init), credentials)

/** The same, and what is sent arrives although the page is going. */
export const lastingCall = callThrough(
  (url, init) => fetch(url, { ...init, keepalive: true }),
  credentials,
)

/**
 * Makes a call whose answer is no JSON, or that takes a file, as whoever is signed in; answers
 * the bare response. Throws `CallFailure`.
 */
export async function callForBody(
  endpoint: Endpoint,
  { query = {}, file }: { query?: Values; file?: Blob } = {},
): Promise<Response> {
  const { method, upload } = endpoint
  const headers = { ...credentials(), ...(upload && { 'content-type': upload }) }
  const response = await fetch(address(endpoint, {}, query), { method, headers, body: file }).catch(
    () => {
      throw new CallFailure(0, null)
    },
  )
  if (!response.ok) throw new CallFailure(response.status, await failureBody(response))
  return response
}

/** The same, for calls that may be given up. */
export const abortable = (signal: AbortSignal) =>
  callThrough((url, init) => fetch(url, { ...init, signal }), credentials)
