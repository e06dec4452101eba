import type { Answer } from '#app/shared/contract/endpoint.ts'
import { call, lastingCall } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { type PaymentProof, paymentCalls } from '../contract.ts'
import { loadRazorpay } from './razorpay.ts'
import type { Unconfirmed } from './unconfirmed.ts'

/** What is bought, as the customer sees it. */
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

/** Opens the provider's dialog; answers the proof, or null when the dialog goes without one. */
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
      ...{ key, amount, currency, order_id: id, name: shopName },
      description: ids.length === 1 ? '1 item' : `${ids.length} items`,
      prefill: { name: buyer.name, email: buyer.email, contact: buyer.phone },
      handler: resolve,
      modal: { ondismiss: () => resolve(null) },
      // the next try is a start of its own, which asks for the stock before any money moves
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

/** Cancels a payment, or only frees what it holds; if that is not heard, its time ends it. */
const leavePayment = ({ id }: Started, { releaseOnly = false } = {}) =>
  lastingCall(paymentCalls.cancelPayment, {
    body: { razorpay_order_id: id, ...(releaseOnly && { releaseOnly }) },
  }).catch(() => {})

/**
 * Has the customer pay in the provider's dialog. Answers the proof of the payment, or null when
 * they left without one or the payment was declined, which `declined` hears of. When the page is
 * `left`, the dialog goes too. A payment that was left or declined is cancelled: what it holds is
 * free at once, and the next try is a payment of its own.
 */
export async function askToPay(
  started: Started,
  purchase: Purchase,
  declined: (reason?: string) => void,
  left: AbortSignal,
): Promise<PaymentProof | null> {
  const leave = () => void leavePayment(started)
  // the window is closed, or goes somewhere else: the bank may have the payment in hand already
  const release = () => void leavePayment(started, { releaseOnly: true })
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

/** How long to wait before asking again, in milliseconds. */
const PAUSES = [1000, 2000, 4000, 8000]

/** Whether the same call may well be answered a little later. */
export const isHiccup = (error: unknown) =>
  error instanceof CallFailure &&
  (error.status === 0 || error.status === 429 || error.status >= 500)

/**
 * Turns the proof into the order. The money has moved already and the same proof makes the same
 * order, so what looks like a hiccup is tried again. Throws the last `CallFailure`.
 */
export async function verifyPayment({ proof, ids }: Unconfirmed) {
  const body = { ...proof, cart: cartOf({ ids }) }
  for (const pause of PAUSES) {
    try {
      return await call(paymentCalls.verifyPayment, { body })
    } catch (error) {
      if (!isHiccup(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return call(paymentCalls.verifyPayment, { body })
}
