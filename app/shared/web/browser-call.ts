import type { Endpoint } from '../contract/endpoint.ts'
import { address, CallFailure, callThrough, failureBody, type Values } from './call.ts'

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

const cookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** The decoded cookie; a malformed encoding is used as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Spec §7: the raw token, and the XSRF cookie where a proxy sets one. */
function credentials(): Record<string, string> {
  const headers: Record<string, string> = {}
  const token = storedToken()
  if (token !== '') headers.authorization = token
  const xsrf = cookie('XSRF-TOKEN')
  if (xsrf) headers['x-xsrf-token'] = decoded(xsrf)
  return headers
}

/** Calls the API from the browser with the stored session. */
export const call = callThrough((url, init) => fetch(url, init), credentials)

/** The same with `keepalive`: the request is sent although the page unloads. */
export const lastingCall = callThrough(
  (url, init) => fetch(url, { ...init, keepalive: true }),
  credentials,
)

/**
 * Makes a call with a file, or with an answer that is not JSON, with the stored session; returns
 * the response. Throws `CallFailure`.
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

/** The same, with an abort signal. */
export const abortable = (signal: AbortSignal) =>
  callThrough((url, init) => fetch(url, { ...init, signal }), credentials)
