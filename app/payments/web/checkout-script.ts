import type { PaymentProof } from '../contract.ts'

/**
 * The dialog that a provider's script defines: the part of Razorpay's checkout.js that the shop uses. A script
 * of another provider defines the same.
 */
export type CheckoutOptions = {
  key: string
  /** Minor units. */
  amount: number
  currency: string
  /** Of the currency; Razorpay's script knows them by itself. */
  decimals: number
  /** What the customer reads where it differs, in major units. */
  display_currency?: string
  display_amount?: number
  name: string
  description: string
  order_id: string
  prefill: { name: string; email: string; contact: string }
  handler: (proof: PaymentProof) => void
  modal: { ondismiss: () => void }
  /** Whether the customer may try again in the same dialog. */
  retry: { enabled: boolean }
}

export type FailureListener = (failed: { error: { description?: string } }) => void

export type Checkout = {
  open: () => void
  /** Closes the dialog, as if the customer had closed it. */
  close: () => void
  on: (event: 'payment.failed', listener: FailureListener) => void
}

declare global {
  interface Window {
    Razorpay?: new (options: CheckoutOptions) => Checkout
  }
}

const scripts = new Map<string, Promise<void>>()

/** Loads a script once; after a failure the next call tries again. */
function load(src: string): Promise<void> {
  const loading =
    scripts.get(src) ??
    new Promise<void>((resolve, reject) => {
      const script = document.createElement('script')
      script.src = src
      script.onload = () => resolve()
      script.onerror = () => {
        scripts.delete(src)
        script.remove()
        reject(new Error(`${src} could not be loaded`))
      }
      document.head.append(script)
    })
  scripts.set(src, loading)
  return loading
}

/** The provider's dialog, from the script at `src`. Throws when there is none. */
export async function loadCheckout(src: string) {
  await load(src)
  if (!window.Razorpay) throw new Error(`${src} defines no dialog`)
  return window.Razorpay
}
