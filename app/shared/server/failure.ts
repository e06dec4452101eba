import {
  FAILURES,
  type FailureBody,
  type FailureCode,
  type FieldProblem,
} from '../contract/failure.ts'
import { LOG_IN_FIRST, NO_SUCH_ADDRESS, UNREACHABLE } from '../model/messages.ts'

/** An expected failure: thrown by a service, rendered by the error handler. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly headers: Record<string, string>
  /** Fields of the answer beside code and message. */
  readonly details: Partial<Pick<FailureBody, 'quote' | 'field' | 'fields'>>

  constructor(
    code: FailureCode,
    message: string,
    { headers = {}, details = {} }: Partial<Pick<Failure, 'headers' | 'details'>> = {},
  ) {
    super(message)
    this.code = code
    this.status = FAILURES[code]
    this.headers = headers
    this.details = details
  }
}

/** Makes failures of a code; one about a field of the body names its path. */
const failing = (code: FailureCode) => (message: string, field?: string) =>
  new Failure(code, message, {
    details: field === undefined ? {} : { field, fields: [{ field, message }] },
  })

export const invalid = failing('invalid')
export const conflict = failing('conflict')
export const tooLarge = failing('too_large')
export const unsupportedMedia = failing('unsupported_media')

const failingFields =
  (code: FailureCode) =>
  (fields: FieldProblem[], { field, message } = fields[0] ?? { field: '', message: '' }) =>
    new Failure(code, message, { details: { field, fields } })

/** Refuses fields of the body; message and field are by default those of the first one. */
export const invalidFields = failingFields('invalid')
export const conflictFields = failingFields('conflict')

/** The failure with its fields at a path, where what it is about is a part of the body. */
export function underField(path: string, error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.field === undefined) return error
  const { code, message, headers, details } = error
  const under = (one: FieldProblem): FieldProblem => ({
    field: `${path}.${one.field}`,
    message: one.message.startsWith(`${one.field} `) ? `${path}.${one.message}` : one.message,
  })
  const { field } = error.details
  const whole = under({ field, message })
  const fields = details.fields?.map(under)
  return new Failure(code, whole.message, {
    headers,
    details: { ...details, field: whole.field, ...(fields && { fields }) },
  })
}

export const unauthorized = failing('unauthorized')
export const forbidden = failing('forbidden')
export const notFound = failing('not_found')
/** Something was here and was deleted. */
export const gone = failing('gone')
export const paymentFailed = failing('payment_failed')

/** A price is not the one that the buyer saw; `quote` is what the cart costs now. */
export const priceChanged = (message: string, quote?: FailureBody['quote']) =>
  new Failure('price_changed', message, { details: quote ? { quote } : {} })

export const outOfStock = failing('out_of_stock')
export const stale = failing('stale')
export const staleFields = failingFields('stale')

/** A dependency of the shop does not answer; the client may try again after `seconds`. */
export const unavailable = (message: string, seconds: number) =>
  new Failure('unavailable', message, { headers: { 'Retry-After': String(seconds) } })

/** A rate limit was exceeded; the client may try again after `seconds`. */
export const rateLimited = (message: string, seconds: number) =>
  new Failure('rate_limited', message, { headers: { 'Retry-After': String(seconds) } })

export const logInFirst = () => unauthorized(LOG_IN_FIRST)
export const adminsOnly = () => forbidden('This is for admins only.')
export const noSuchAddress = () => notFound(NO_SUCH_ADDRESS)
export const notUnderstood = () => invalid('The request could not be understood.')
export const requestTooLarge = () => tooLarge('The request is too large.')
export const tooManyUploads = () =>
  unavailable('Too many uploads are waiting. Please try again in a minute.', 60)
export const aborted = () => invalid('The request was aborted.')
/** A restarted database is usually back within seconds. */
export const unreachable = () => unavailable(UNREACHABLE, 5)
