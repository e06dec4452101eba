import type { Answer } from '#tests/support/api-client.ts'

/** The answers and failures that the clients saw. */
export type ClientLog = {
  /** The orders that the shop has confirmed, by the provider's payment ids. */
  confirmed: Map<string, string>
  /** Answers that no client may get. */
  unexpected: string[]
  started: number
  cancelled: number
  soldOut: number
  /** 503 with Retry-After. */
  unavailable: number
  /** Requests without an answer. */
  unanswered: number
}

export const openClientLog = (): ClientLog => ({
  confirmed: new Map(),
  unexpected: [],
  started: 0,
  cancelled: 0,
  soldOut: 0,
  unavailable: 0,
  unanswered: 0,
})

/** Counts a failure; false when the request may be retried. */
export function noteFailure(log: ClientLog, request: string, answer: Answer<object>): boolean {
  const { status, body, retryAfter } = answer
  if (status === 0) log.unanswered += 1
  else if (status === 503 && retryAfter) log.unavailable += 1
  else {
    if (status === 409 && body.code === 'out_of_stock') log.soldOut += 1
    else log.unexpected.push(`${request}: ${status} ${body.code} ${body.message}`)
    return true
  }
  return false
}

export function noteOrder(log: ClientLog, paymentId: string, orderId: string) {
  const before = log.confirmed.get(paymentId) ?? orderId
  if (before !== orderId) log.unexpected.push(`${paymentId} made ${before} and ${orderId}`)
  log.confirmed.set(paymentId, orderId)
}
