import { useEffect, useRef, useState } from 'react'
import { toast } from 'react-hot-toast'
import { CallFailure, said } from '#app/shared/web/call.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'
import { AMOUNT_INVALID, PAYMENT_FAILED } from '../contract.ts'
import { askToPay, type Purchase, startPayment, verifyPayment } from './checkout.ts'

const declined = (reason = 'The payment was declined.') => void toast.error(reason)

type Endings = {
  /** The order stands; `purchase` is what was bought. */
  paid: (purchase: Purchase) => void
  /** The server would not: the cart or the session is not what it was. */
  refused: (failure: CallFailure) => void
}

/** Aborts when the component that shows the page goes. */
function useLeft(): () => AbortSignal {
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])
  return () => {
    leaving.current = new AbortController()
    return leaving.current.signal
  }
}

/**
 * Pays, one payment at a time (spec §4). Every ending is said in a toast; leaving the page is
 * leaving the dialog.
 */
export function useCheckout({ paid, refused }: Endings) {
  const [busy, setBusy] = useState(false)
  const paying = useRef(false)
  const whenLeft = useLeft()

  const run = async (purchase: Purchase) => {
    let failure: string = MESSAGES.paymentFailed
    const left = whenLeft()
    try {
      const started = await startPayment(purchase)
      const proof = await askToPay(started, purchase, declined, left)
      if (!proof) return toast('Nothing was charged. Your cart is as it was.')
      failure = PAYMENT_FAILED
      await verifyPayment(proof, purchase)
      toast.success(MESSAGES.paymentDone)
      paid(purchase)
    } catch (error) {
      toast.error(said(error, failure))
      if (error instanceof CallFailure) refused(error)
    }
  }

  const pay = async (purchase: Purchase) => {
    if (paying.current) return
    if (!(purchase.amount > 0)) return toast.error(AMOUNT_INVALID)
    paying.current = true
    setBusy(true)
    await run(purchase)
    paying.current = false
    setBusy(false)
  }
  return { busy, pay }
}
