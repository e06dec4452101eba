import { useEffect, useRef, useState } from 'react'
import { CallFailure, messageOf } from '#app/shared/web/call.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { AMOUNT_INVALID } from '../contract.ts'
import type { Purchase } from './payment-dialog.ts'
import { unconfirmedAtom } from './unconfirmed.ts'
import { TOAST, useVerification, type VerificationCallbacks } from './use-verification.ts'

const NOT_CONFIRMED =
  'No payment is confirmed yet. Your cart is unchanged. If your bank still completes it, the order appears in your orders.'
const PAID_ELSEWHERE = 'No payment is confirmed here. Your cart was paid or changed in another tab.'

/** The message of a payment that could not be started. */
function failureMessage(error: unknown): string {
  const unreached = !(error instanceof CallFailure) || error.status === 0
  if (!unreached) return messageOf(error, MESSAGES.paymentFailed)
  const what = error instanceof CallFailure ? 'The shop' : 'The payment provider'
  return `${MESSAGES.paymentFailed}. ${what} cannot be reached: nothing was charged.`
}

export type CheckoutCallbacks = VerificationCallbacks & {
  /** Whether the cart contains exactly these products, one id a piece. */
  isCart: (ids: string[]) => boolean
}

/** A signal that aborts when the page is left. */
function useLeaveSignal(): () => AbortSignal {
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  return () => {
    abort.current = new AbortController()
    return abort.current.signal
  }
}

/** Shows why a dialog was closed without a payment: another tab may have paid for the cart. */
function showCancelled(
  { ids, buyer }: Purchase,
  { isCart }: CheckoutCallbacks,
  reason: string | undefined,
) {
  // the provider knows what happened at the bank, the shop does not
  if (reason !== undefined) return toast.error(reason, TOAST)
  const isPaid = unconfirmedAtom.get().some(({ buyerId }) => buyerId === buyer._id)
  toast(isCart(ids) && !isPaid ? NOT_CONFIRMED : PAID_ELSEWHERE, TOAST)
}

/**
 * Pays, one payment at a time (spec §4), and shows the result in a toast. The dialog closes when the
 * page is left.
 */
export function useCheckout(callbacks: CheckoutCallbacks) {
  const { confirm, settleAll } = useVerification(callbacks)
  const [busy, setBusy] = useState(false)
  const paying = useRef(false)
  const leaveSignal = useLeaveSignal()

  const run = async (purchase: Purchase) => {
    const left = leaveSignal()
    // no new payment before the last one is confirmed or refused
    if (await settleAll(purchase.buyer._id)) return
    let reason: string | undefined
    const declined = (why = 'The payment was declined.') => {
      reason = why
    }
    try {
      // loaded when it is needed: most visits of the cart pay nothing
      const { openPaymentDialog, startPayment } = await import('./payment-dialog.ts')
      const started = await startPayment(purchase)
      if (started.order) {
        toast.success('Your order is placed.')
        return callbacks.paid(purchase)
      }
      const proof = await openPaymentDialog(started, purchase, declined, left)
      if (!proof) return showCancelled(purchase, callbacks, reason)
      await confirm({ proof, ids: purchase.ids, buyerId: purchase.buyer._id })
    } catch (error) {
      toast.error(failureMessage(error), TOAST)
      if (error instanceof CallFailure) callbacks.refused(error)
    }
  }

  const pay = async (purchase: Purchase) => {
    if (paying.current) return
    // with a coupon, the server decides whether the cart costs nothing
    const isFree = purchase.choices?.couponCodes?.length
    if (!(purchase.amount > 0 || isFree)) return toast.error(AMOUNT_INVALID)
    paying.current = true
    setBusy(true)
    await run(purchase)
    paying.current = false
    setBusy(false)
  }
  return { busy, pay }
}
