import type { Static, TSchema } from 'typebox'
import { isOpen } from '../contract/access.ts'
import { type Answer, API_PREFIX, type BrowserEndpoint, type Input } from '../contract/endpoint.ts'
import type { FailureBody, FieldProblem } from '../contract/failure.ts'
import { fillPath } from '../model/href.ts'
import { LOG_IN_FIRST } from '../model/messages.ts'

/** Sends a request to the API, as `fetch` does. */
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

/** Form fields are text, objects as JSON; the server converts them. */
type FormTexts<Body> = { [Name in keyof Body]: Body[Name] | string }

type Sent<E extends BrowserEndpoint> = E extends { multipart: true; body: infer B extends TSchema }
  ? Omit<Input<E>, 'body'> & { body: FormTexts<Static<B>>; photo?: File | undefined }
  : Input<E>

type Arguments<E extends BrowserEndpoint> =
  Record<never, never> extends Sent<E> ? [input?: Sent<E>] : [input: Sent<E>]

/**
 * Makes a declared call and returns its typed answer. Throws `CallFailure`; a guest's call that
 * requires a session fails without a request.
 */
export type Call = {
  <E extends BrowserEndpoint>(endpoint: E, ...input: Arguments<E>): Promise<Answer<E>>
  /** For bare arrays, whose total is in a header. */
  counted<E extends BrowserEndpoint>(
    endpoint: E,
    ...input: Arguments<E>
  ): Promise<{ items: Answer<E>; total: number }>
}

export type Values = Record<string, unknown>

/** The input of any call. */
export type CallInput = { params?: Values; query?: Values; body?: unknown; photo?: File }

/** The URL of a call with its parameters. */
export function address(
  { path }: Pick<BrowserEndpoint, 'path'>,
  params: Values = {},
  query: Values = {},
) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return API_PREFIX + fillPath(path, params) + (search.size > 0 ? `?${search}` : '')
}

function formOf(fields: Values, photo: File | undefined) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined)
      form.set(name, value instanceof Object ? JSON.stringify(value) : String(value))
  }
  if (photo) form.set('photo', photo)
  return form
}

function payloadOf({ multipart }: BrowserEndpoint, { body, photo }: CallInput) {
  if (body === undefined) return {}
  if (multipart) return { body: formOf(body as Values, photo) }
  return { body: JSON.stringify(body), type: 'application/json' }
}

/** The failure that the server would answer. */
const UNAUTHORIZED = { code: 'unauthorized', message: LOG_IN_FIRST } as const

/** The body of a failure; null when there is none. */
export const failureBody = (response: Pick<Response, 'json'>) =>
  response.json().catch(() => null) as Promise<Partial<FailureBody> | null>

/**
 * Makes a call. `total` is that of a list that answers with a bare array. Throws `CallFailure`.
 */
export type MakeCall = (
  endpoint: BrowserEndpoint,
  input: CallInput,
) => Promise<{ answer: unknown; total: number }>

/** The call function of loaders and components. */
export function callBy(make: MakeCall): Call {
  const call = async (endpoint: BrowserEndpoint, input: object = {}) =>
    (await make(endpoint, input)).answer
  const counted = async (endpoint: BrowserEndpoint, input: object = {}) => {
    const { answer, total } = await make(endpoint, input)
    return { items: answer, total }
  }
  return Object.assign(call, { counted }) as Call
}

/** Calls the API over HTTP. */
export const callThrough = (
  transport: Transport,
  credentials: () => Record<string, string>,
): Call =>
  callBy(async (endpoint, input) => {
    const headers = credentials()
    if (!isOpen(endpoint.access) && !headers.authorization) {
      throw new CallFailure(401, UNAUTHORIZED)
    }
    const { body, type } = payloadOf(endpoint, input)
    if (type) headers['content-type'] = type
    const response = await transport(address(endpoint, input.params, input.query), {
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
    return { answer, total: Number(response.headers.get('x-total-count') ?? 0) }
  })

/** The last name of a field's path in words: `rates.0.freeFrom` is "Free from". */
function nameOf(field: string): string {
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? field
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The message with a label of the field in place of the path that it has in the API. */
export const labelled = ({ field, message }: FieldProblem, label = nameOf(field)): string =>
  message.startsWith(`${field} `) ? label + message.slice(field.length) : message

/** The message of a failure for people: the server's, without the path of a field, else the given one. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof CallFailure)) return fallback
  const { serverMessage, fields } = error
  const about = fields.find(({ message }) => message === serverMessage)
  return (about ? labelled(about) : serverMessage) || fallback
}

/** Whether the session, or the permission for this call, has ended. */
export const isRefused = (error: unknown): boolean =>
  error instanceof CallFailure && [401, 403].includes(error.status)
