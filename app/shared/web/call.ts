import type { Static, TSchema } from 'typebox'
import { type Answer, API_PREFIX, type Endpoint, type Input } from '../contract/endpoint.ts'
import type { FailureBody, FieldProblem } from '../contract/failure.ts'

/** Sends a request to the API: `fetch` in the browser, an internal request on the server. */
export type Transport = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | FormData },
) => Promise<Pick<Response, 'ok' | 'status' | 'json'> & { headers: Pick<Headers, 'get'> }>

/**
 * A failed call: the API refused it, or could not be reached (status 0, without `serverMessage`).
 */
export class CallFailure extends Error {
  readonly status: number
  readonly code: FailureBody['code'] | null
  /** The server's message, if it sent one. */
  readonly serverMessage: string | null
  /** The request id in the shop's log, if the server answered. */
  readonly requestId: string | null
  /** The fields of the body that the server refuses. */
  readonly fields: FieldProblem[]

  constructor(status: number, body: Partial<FailureBody> | null) {
    super(body?.message ?? `The call failed with status ${status}`)
    this.status = status
    this.code = body?.code ?? null
    this.serverMessage = body?.message ?? null
    this.requestId = body?.requestId ?? null
    this.fields = body?.fields ?? []
  }
}

/** Form fields are text; the server converts numbers. */
type FormTexts<Body> = { [Name in keyof Body]: Body[Name] | string }

type Sent<E extends Endpoint> = E extends { multipart: true; body: infer B extends TSchema }
  ? Omit<Input<E>, 'body'> & { body: FormTexts<Static<B>>; photo?: File | undefined }
  : Input<E>

type Arguments<E extends Endpoint> =
  Record<never, never> extends Sent<E> ? [input?: Sent<E>] : [input: Sent<E>]

/**
 * Makes a declared call and returns its typed answer. Throws `CallFailure`; a guest's call that
 * requires a session fails without a request.
 */
export type Call = {
  <E extends Endpoint>(endpoint: E, ...input: Arguments<E>): Promise<Answer<E>>
  /** For bare arrays, whose total is in a header. */
  counted<E extends Endpoint>(
    endpoint: E,
    ...input: Arguments<E>
  ): Promise<{ items: Answer<E>; total: number }>
}

export type Values = Record<string, unknown>

/** The URL of a call with its parameters. */
export function address({ path }: Endpoint, params: Values, query: Values) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return API_PREFIX + filled + (search.size > 0 ? `?${search}` : '')
}

function formOf(fields: Values, photo: File | undefined) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, String(value))
  }
  if (photo) form.set('photo', photo)
  return form
}

type AnyInput = { params?: unknown; query?: unknown; body?: unknown; photo?: File }

function payloadOf({ multipart }: Endpoint, { body, photo }: AnyInput) {
  if (body === undefined) return {}
  if (multipart) return { body: formOf(body as Values, photo) }
  return { body: JSON.stringify(body), type: 'application/json' }
}

/** The failure that the server would answer. */
const LOG_IN_FIRST = { code: 'unauthorized', message: 'Please log in.' } as const

/** The body of a failure; null when there is none. */
export const failureBody = (response: Pick<Response, 'json'>) =>
  response.json().catch(() => null) as Promise<Partial<FailureBody> | null>

export function callThrough(transport: Transport, credentials: () => Record<string, string>): Call {
  const send = async (endpoint: Endpoint, input: AnyInput = {}) => {
    const url = address(endpoint, (input.params ?? {}) as Values, (input.query ?? {}) as Values)
    const headers = credentials()
    if (endpoint.access !== 'public' && !headers.authorization) {
      throw new CallFailure(401, LOG_IN_FIRST)
    }
    const { body, type } = payloadOf(endpoint, input)
    if (type) headers['content-type'] = type
    const response = await transport(url, {
      method: endpoint.method,
      headers,
      ...(body !== undefined && { body }),
    }).catch(() => {
      throw new CallFailure(0, null)
    })
    if (!response.ok) throw new CallFailure(response.status, await failureBody(response))
    const answer = await response.json().catch(() => {
      throw new CallFailure(0, null)
    })
    return { response, answer }
  }
  const call = async (endpoint: Endpoint, input?: object) => (await send(endpoint, input)).answer
  const counted = async (endpoint: Endpoint, input?: object) => {
    const { response, answer } = await send(endpoint, input)
    return { items: answer, total: Number(response.headers.get('x-total-count') ?? 0) }
  }
  return Object.assign(call, { counted }) as Call
}

/** The message of a failure: the server's, else the given one. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof CallFailure && error.serverMessage) || fallback

/** Whether the session, or the permission for this call, has ended. */
export const isRefused = (error: unknown): boolean =>
  error instanceof CallFailure && [401, 403].includes(error.status)
