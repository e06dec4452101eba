import { FAILURES, type FailureCode } from '../contract/failure.ts'

/** An expected failure: thrown by a service, rendered by the error handler. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly headers: Record<string, string>

  constructor(code: FailureCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.status = FAILURES[code]
    this.headers = headers
  }
}

const failing = (code: FailureCode) => (message: string) => new Failure(code, message)

export const invalid = failing('invalid')
export const unauthorized = failing('unauthorized')
export const forbidden = failing('forbidden')
export const notFound = failing('not_found')
export const conflict = failing('conflict')
export const paymentFailed = failing('payment_failed')
export const priceChanged = failing('price_changed')
export const outOfStock = failing('out_of_stock')
export const stale = failing('stale')
export const tooLarge = failing('too_large')
export const unsupportedMedia = failing('unsupported_media')

/** A dependency of the shop does not answer; the client may try again after `seconds`. */
export const unavailable = (message: string, seconds: number) =>
  new Failure('unavailable', message, { 'Retry-After': String(seconds) })

/** A rate limit was exceeded; the client may try again after `seconds`. */
export const rateLimited = (message: string, seconds: number) =>
  new Failure('rate_limited', message, { 'Retry-After': String(seconds) })
