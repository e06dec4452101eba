import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { paymentCalls } from '../contract.ts'
import type { Unconfirmed } from './unconfirmed.ts'

/** Pauses between attempts, in milliseconds. */
const PAUSES = [1000, 2000, 4000, 8000]

/** Whether the same call may succeed a little later. */
export const isTransient = (error: unknown) =>
  error instanceof CallFailure &&
  (error.status === 0 || error.status === 429 || error.status >= 500)

/**
 * Turns the proof into the order. Idempotent, so transient failures are retried. Throws the last
 * `CallFailure`.
 */
export async function verifyPayment({ proof, ids }: Unconfirmed) {
  const body = { ...proof, cart: ids.map((_id) => ({ _id })) }
  for (const pause of PAUSES) {
    try {
      return await call(paymentCalls.verifyPayment, { body })
    } catch (error) {
      if (!isTransient(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return call(paymentCalls.verifyPayment, { body })
}
