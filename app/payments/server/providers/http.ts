/** What providers with an API of JSON share: calls, signed webhooks, and the setting of the address. */
import { type Failure, invalid, notFound, unavailable } from '#app/shared/server/failure.ts'
import {
  type Delivery,
  type Environment,
  isSigned,
  type ProviderEvent,
  type ReadDelivery,
} from './provider.ts'

const TIMEOUT_MS = 10_000
const RETRY_SECONDS = 30
const NO_ANSWER = 'The payment provider does not answer. Try again in a minute.'

/** A refusal, or no answer: then the status is 0. */
type Refused = { status: number; answer: unknown }

/** A refusal: the provider's words, and whether it concerns the requested thing for good. */
export type Refusal = { words: string | null; isFinal: boolean }

type Api = {
  /** What logs call it. */
  label: string
  /** The address before each path. */
  address: string
  headers: Record<string, string>
  refusalOf: (refused: Refused) => Refusal
}

type Sent = {
  /** Fields of the answer, or of each item of a list, by which it belongs to its request. */
  expected: object
  /** Of a POST. */
  body?: object
  headers?: Record<string, string>
}

/**
 * Whether an answer belongs to its request. A provider or a proxy that answers twice on one connection would
 * give the next request another request's answer, and money would be stored for the wrong buyer.
 */
function belongs(answer: object, expected: object) {
  const parts = 'items' in answer && Array.isArray(answer.items) ? answer.items : [answer]
  return parts.every((part) =>
    Object.entries(expected).every(([name, value]) => Reflect.get(part, name) === value),
  )
}

type Init = RequestInit & { headers?: Record<string, string> }

const request = (fetch: Environment['fetch'], url: string, init: Init) =>
  fetch(url, {
    ...init,
    // a decoder is not needed for short answers, and what it reads is a stranger's
    headers: { ...init.headers, 'accept-encoding': 'identity' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })

async function send(fetch: Environment['fetch'], url: string, init: Init) {
  try {
    const response = await request(fetch, url, init)
    const answer: unknown = await response.json()
    return { status: response.status, answer }
  } catch (err) {
    return { status: 0, answer: null, err }
  }
}

const failureOf = ({ words, isFinal }: Refusal, status: number): Failure =>
  isFinal
    ? notFound(words ?? `It answered ${status}.`)
    : unavailable(words ?? NO_ANSWER, RETRY_SECONDS)

export type Call = ReturnType<typeof openApi>

/**
 * Makes the calls of an API: each answers what `isAnswer` accepts and belongs to its request. Any other
 * answer is logged, and throws as the port says: `not_found` for a final refusal, else `unavailable`.
 */
export const openApi =
  ({ log, fetch }: Pick<Environment, 'log' | 'fetch'>, api: Api) =>
  async <Answer extends object>(
    path: string,
    isAnswer: (answer: unknown) => answer is Answer,
    { expected, body, headers }: Sent,
  ): Promise<Answer> => {
    const { status, answer, err } = await send(fetch, `${api.address}/${path}`, {
      headers: { 'content-type': 'application/json', ...api.headers, ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (status === 200 && isAnswer(answer) && belongs(answer, expected)) return answer
    const failure = failureOf(api.refusalOf({ status, answer }), status)
    const level = failure.code === 'not_found' ? 'warn' : 'error'
    log[level]({ path, status, answer, err }, `a call of ${api.label} failed`)
    throw failure
  }

/** Makes a request that changes nothing, to see whether the API knows the keys. Throws when it does not answer. */
export async function pingApi(
  { address, headers }: Pick<Api, 'address' | 'headers'>,
  path: string,
) {
  const response = await request(fetch, `${address}/${path}`, { headers })
  const { status } = response
  if (status !== 200 && status !== 401) throw new Error(`it answered ${status}`)
  const date = response.headers.get('date')
  return { knowsKeys: status === 200, at: date === null ? null : new Date(date) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads webhooks of JSON that is signed by HMAC-SHA256; `names` are those of the headers. */
export const signedWebhook =
  (
    secret: string,
    names: { signature: string; id: string },
    eventOf: (parsed: unknown) => ProviderEvent | null | undefined,
  ) =>
  ({ raw, headers }: Delivery): ReadDelivery => {
    if (!isSigned(secret, raw, String(headers[names.signature] ?? '')))
      throw invalid('The signature is invalid.')
    return { id: String(headers[names.id] ?? ''), event: eventOf(parseJson(raw.toString())) }
  }

/** Whether requests to this address leave the machine unencrypted. */
function isUnencrypted(text: unknown) {
  const url = URL.parse(String(text))
  const isLocal = /^(.*\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(url?.hostname ?? '')
  return url?.protocol === 'http:' && !isLocal
}

/** The rules of a setting with another address of the API; `secret` is a setting that requests carry. */
export const addressRules = (name: string, secret: string) => ({
  [`${name} must start with http:// or https://.`]: (settings: object) => {
    const address = Reflect.get(settings, name)
    return address && !/^https?:$/.test(URL.parse(String(address))?.protocol ?? '')
  },
  [`${name} must start with https:// when keys are set, unless it is on this machine: the keys would be sent unencrypted.`]:
    (settings: object) =>
      Reflect.get(settings, secret) && isUnencrypted(Reflect.get(settings, name)),
})
