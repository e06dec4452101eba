import { useRef, useState } from 'react'
import { toast } from 'react-hot-toast'
import { CallFailure, said } from '#app/shared/web/call.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'
import { AMOUNT_INVALID, PAYMENT_FAILED } from '../contract.ts'
import { askToPay, type Purchase, startPayment, verifyPayment } from './checkout.ts'

type Endings = {
  /** The order stands; `purchase` is what was bought. */
  paid: (purchase: Purchase) => void
  /** The server would not: the cart or the session is not what it was. */
  refused: (failure: CallFailure) => void
}

/** Pays, one payment at a time (spec §4). Every ending is said in a toast. */
export function useCheckout({ paid, refused }: Endings) {
  const [busy, setBusy] = useState(false)
  const paying = useRef(false)

  const run = async (purchase: Purchase) => {
    let failure: string = MESSAGES.paymentFailed
    try {
      const started = await startPayment(purchase)
      const proof = await askToPay(started, purchase, (reason) =>
        toast.error(reason ?? 'The payment was declined.'),
      )
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
