import type { Buyer } from '#app/accounts/web/buyer.ts'
import type { StartChoices } from '#app/checkout/contract.ts'
import type { Answer } from '#app/shared/contract/endpoint.ts'
import { decimalsOf, toMajor } from '#app/shared/model/minor-units.ts'
import { call, lastingCall } from '#app/shared/web/browser-call.ts'
import { type PaymentProof, paymentCalls } from '../contract.ts'
import { loadCheckout } from './checkout-script.ts'

/** A purchase as the customer sees it. */
export type Purchase = {
  /** The products' ids, one a piece. */
  ids: string[]
  /** Minor units. */
  amount: number
  /** In which the shop shows it. */
  currency: string
  choices: StartChoices | undefined
  shopName: string
  buyer: Buyer
}

/** Starts the payment at the server, which prices it. Throws `CallFailure`. */
export const startPayment = ({ ids, amount, choices, buyer }: Purchase) =>
  call(paymentCalls.startPayment, {
    body: {
      amount,
      cart: ids.map((_id) => ({ _id })),
      ...choices,
      // without another one it goes to the address of the profile
      ...(!choices?.delivery && { shownAddress: buyer.address }),
    },
  })

type StartedPayment = Answer<typeof paymentCalls.startPayment>

/** Opens the provider's dialog; answers the proof, or null when it is closed without one. */
async function openDialog(
  { checkout, key, id, amount, currency }: StartedPayment,
  { shopName, ids, buyer, currency: shown }: Purchase,
  declined: (reason?: string) => void,
  left: AbortSignal,
): Promise<PaymentProof | null> {
  const Checkout = await loadCheckout(checkout)
  if (left.aborted) return null
  return new Promise((resolve) => {
    const dialog = new Checkout({
      key,
      amount,
      currency,
      decimals: decimalsOf(currency),
      // the demo shows another one than it charges
      ...(shown !== currency && {
        display_currency: shown,
        display_amount: toMajor(amount, currency),
      }),
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

/**
 * Releases the stock of a payment, which stays open: the bank may be processing an attempt, also a declined
 * one. When the call fails, the reservation expires.
 */
const release = ({ id }: StartedPayment) =>
  lastingCall(paymentCalls.cancelPayment, {
    body: { razorpay_order_id: id, releaseOnly: true },
  }).catch(() => {})

/**
 * Opens the provider's dialog. Returns the proof of the payment, or null when the dialog was closed
 * or the payment was declined; `declined` is called with the reason. The dialog closes when the
 * page is `left`. The stock of a closed or declined payment is released at once.
 */
export async function openPaymentDialog(
  started: StartedPayment,
  purchase: Purchase,
  declined: (reason?: string) => void,
  left: AbortSignal,
): Promise<PaymentProof | null> {
  const leave = () => void release(started)
  window.addEventListener('pagehide', leave)
  try {
    const proof = await openDialog(started, purchase, declined, left)
    // before the next attempt, which reserves the stock of the same payment again
    if (!proof) await release(started)
    return proof
  } catch (error) {
    await release(started)
    throw error
  } finally {
    window.removeEventListener('pagehide', leave)
  }
}
