import { type Static, Type } from 'typebox'

/** Every failure the API may answer: its stable code and its HTTP status. */
export const FAILURES = {
  invalid: 400,
  payment_failed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  price_changed: 409,
  out_of_stock: 409,
  stale: 409,
  too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type FailureCode = keyof typeof FAILURES

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[]

/** The body of every 4xx and 5xx: `message` is a sentence that a person may read. */
export const FailureBody = Type.Object({
  success: Type.Literal(false),
  code: Type.Enum(FAILURE_CODES),
  message: Type.String(),
  /** The specification's profile call reads its failures from here (spec §7). */
  error: Type.Optional(Type.String()),
  /** What the shop's log knows this request by; the header `X-Request-Id` says it, too. */
  requestId: Type.String(),
})
export type FailureBody = Static<typeof FailureBody>
