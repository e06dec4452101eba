import type { Answer } from '#app/shared/contract/endpoint.ts'
import { call, lastingCall } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { type PaymentProof, paymentCalls } from '../contract.ts'
import { loadRazorpay } from './razorpay.ts'
import type { Unconfirmed } from './unconfirmed.ts'

/** A purchase as the customer sees it. */
export type Purchase = {
  /** The products' ids, one a piece. */
  ids: string[]
  /** Minor units. */
  amount: number
  shopName: string
  buyer: { _id: string; name: string; email: string; phone: string }
}

const cartOf = ({ ids }: { ids: string[] }) => ids.map((_id) => ({ _id }))

/** Starts the payment at the server, which prices it. Throws `CallFailure`. */
export const startPayment = (purchase: Purchase) =>
  call(paymentCalls.startPayment, { body: { amount: purchase.amount, cart: cartOf(purchase) } })

type Started = Answer<typeof paymentCalls.startPayment>

/** Opens the provider's dialog; answers the proof, or null when it is closed without one. */
async function openDialog(
  { checkout, key, id, amount, currency }: Started,
  { shopName, ids, buyer }: Purchase,
  declined: (reason?: string) => void,
  left: AbortSignal,
): Promise<PaymentProof | null> {
  const Razorpay = await loadRazorpay(checkout)
  if (left.aborted) return null
  return new Promise((resolve) => {
    const dialog = new Razorpay({
      key,
      amount,
      currency,
      order_id: id,
      name: shopName,
      description: ids.length === 1 ? '1 item' : `${ids.length} items`,
      prefill: { name: buyer.name, email: buyer.email, contact: buyer.phone },
      handler: resolve,
      modal: { ondismiss: () => resolve(null) },
      // another attempt is a start of its own, which reserves the stock before any money moves
      retry: { enabled: false },
    })
    dialog.on('payment.failed', ({ error }) => {
      declined(error.description)
      resolve(null)
      dialog.close()
    })
    left.addEventListener('abort', () => dialog.close())
    dialog.open()
  })
}

/** Cancels a payment, or only releases its stock. When the call fails, the reservation expires. */
const cancelPayment = ({ id }: Started, { releaseOnly = false } = {}) =>
  lastingCall(paymentCalls.cancelPayment, {
    body: { razorpay_order_id: id, ...(releaseOnly && { releaseOnly }) },
  }).catch(() => {})

/**
 * Opens the provider's dialog. Returns the proof of the payment, or null when the dialog was closed
 * or the payment was declined; `declined` is called with the reason. The dialog closes when the
 * page is `left`. A closed or declined payment is cancelled, so that its stock is released at once.
 */
export async function openPaymentDialog(
  started: Started,
  purchase: Purchase,
  declined: (reason?: string) => void,
  left: AbortSignal,
): Promise<PaymentProof | null> {
  const leave = () => void cancelPayment(started)
  // the window is closed or navigates: the bank may be processing the payment
  const release = () => void cancelPayment(started, { releaseOnly: true })
  window.addEventListener('pagehide', release)
  try {
    const proof = await openDialog(started, purchase, declined, left)
    if (!proof) leave()
    return proof
  } catch (error) {
    leave()
    throw error
  } finally {
    window.removeEventListener('pagehide', release)
  }
}

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
  const body = { ...proof, cart: cartOf({ ids }) }
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
