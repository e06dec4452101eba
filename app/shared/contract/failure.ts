import { type Static, Type } from 'typebox'

/** The failures of the API: code and HTTP status. */
export const FAILURES = {
  invalid: 400,
  payment_failed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  // a deleted product: 404 for every client of the contract; its page answers 410
  gone: 404,
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

/** A refused field of a request's body: its path, such as `rates.0.price`, and the reason as a sentence. */
export const FieldProblem = Type.Object({ field: Type.String(), message: Type.String() })
export type FieldProblem = Static<typeof FieldProblem>

/** The body of every 4xx and 5xx; `message` is a sentence for the user. */
export const FailureBody = Type.Object({
  success: Type.Literal(false),
  code: Type.Enum(Object.keys(FAILURES) as FailureCode[]),
  message: Type.String(),
  /** The field of the body that `message` is about, by its path. */
  field: Type.Optional(Type.String()),
  /** Every field of the body that is refused. */
  fields: Type.Optional(Type.Array(FieldProblem)),
  /** Read by clients of the specification's profile call (spec §7). */
  error: Type.Optional(Type.String()),
  /** With `price_changed` at the start of a payment: what the cart costs now. */
  quote: Type.Optional(Type.Object({}, { additionalProperties: true })),
  /** The request id in the shop's log, also sent as the header `X-Request-Id`. */
  requestId: Type.String(),
})
export type FailureBody = Static<typeof FailureBody>
