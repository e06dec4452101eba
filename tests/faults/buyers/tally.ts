import type { Answer } from './client.ts'

/** What buyers saw. */
export type Tally = {
  /** The orders that the shop has confirmed, by the provider's payment ids. */
  acknowledged: Map<string, string>
  /** Answers that no buyer may get. */
  strange: string[]
  started: number
  cancelled: number
  soldOut: number
  /** 503 with Retry-After. */
  unavailable: number
  /** No answer at all. */
  cutOff: number
}

export const openTally = (): Tally => ({
  ...{ acknowledged: new Map(), strange: [] },
  ...{ started: 0, cancelled: 0, soldOut: 0, unavailable: 0, cutOff: 0 },
})

/** Counts an answer that is not the one hoped for; false when it may be asked for again. */
export function noteFailure(tally: Tally, doing: string, answer: Answer<object>): boolean {
  const { status, body, retryAfter } = answer
  if (status === 0) tally.cutOff += 1
  else if (status === 503 && retryAfter) tally.unavailable += 1
  else {
    if (status === 409 && body.code === 'out_of_stock') tally.soldOut += 1
    else tally.strange.push(`${doing}: ${status} ${body.code} ${body.message}`)
    return true
  }
  return false
}

export function noteOrder(tally: Tally, paymentId: string, orderId: string) {
  const before = tally.acknowledged.get(paymentId) ?? orderId
  if (before !== orderId) tally.strange.push(`${paymentId} made ${before} and ${orderId}`)
  tally.acknowledged.set(paymentId, orderId)
}
