import { type Answer, API_PREFIX, type Endpoint, type Input } from '../contract/endpoint.ts'
import type { FailureBody } from '../contract/failure.ts'

/** Carries a request to the API: `fetch` in the browser, an injected request on the server. */
export type Transport = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | FormData },
) => Promise<Pick<Response, 'ok' | 'status' | 'headers' | 'json'>>

/** The API said no, or could not be reached (status 0, and nothing `said`). */
export class CallFailure extends Error {
  readonly status: number
  readonly code: FailureBody['code'] | null
  /** The server's sentence for a person, where it sent one. */
  readonly said: string | null

  constructor(status: number, body: Partial<FailureBody> | null) {
    super(body?.message ?? `The call failed with status ${status}`)
    this.status = status
    this.code = body?.code ?? null
    this.said = body?.message ?? null
  }
}

type Arguments<E extends Endpoint> =
  Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/**
 * Makes a declared call and answers its typed body; throws `CallFailure`, without asking the
 * server where a guest has no chance.
 */
export type Call = {
  <E extends Endpoint>(endpoint: E, ...input: Arguments<E>): Promise<Answer<E>>
  /** For bare arrays, whose total travels in a header. */
  counted<E extends Endpoint>(
    endpoint: E,
    ...input: Arguments<E>
  ): Promise<{ items: Answer<E>; total: number }>
}

type Values = Record<string, unknown>

function address({ path }: Endpoint, params: Values, query: Values) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return API_PREFIX + filled + (search.size > 0 ? `?${search}` : '')
}

/** As the server would answer; said without asking it. */
const LOG_IN_FIRST = { code: 'unauthorized', message: 'Please log in.' } as const

const failureBody = (response: Pick<Response, 'json'>) =>
  response.json().catch(() => null) as Promise<Partial<FailureBody> | null>

export function callThrough(transport: Transport, credentials: () => Record<string, string>): Call {
  const send = async (
    endpoint: Endpoint,
    input: { params?: unknown; query?: unknown; body?: unknown } = {},
  ) => {
    const url = address(endpoint, (input.params ?? {}) as Values, (input.query ?? {}) as Values)
    const headers = credentials()
    if (endpoint.access !== 'public' && !headers.authorization) {
      throw new CallFailure(401, LOG_IN_FIRST)
    }
    const { body } = input
    const isForm = typeof FormData !== 'undefined' && body instanceof FormData
    if (body !== undefined && !isForm) headers['content-type'] = 'application/json'
    const response = await transport(url, {
      method: endpoint.method,
      headers,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    }).catch(() => {
      throw new CallFailure(0, null)
    })
    if (!response.ok) throw new CallFailure(response.status, await failureBody(response))
    return { response, answer: await response.json() }
  }
  const call = async (endpoint: Endpoint, input?: object) => (await send(endpoint, input)).answer
  const counted = async (endpoint: Endpoint, input?: object) => {
    const { response, answer } = await send(endpoint, input)
    return { items: answer, total: Number(response.headers.get('x-total-count') ?? 0) }
  }
  return Object.assign(call, { counted }) as Call
}

/** What a person is told of a failure: the server's sentence, else the specification's text. */
export const said = (error: unknown, fallback: string): string =>
  (error instanceof CallFailure && error.said) || fallback
