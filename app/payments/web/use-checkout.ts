import { useEffect, useRef, useState } from 'react'
import { toast } from 'react-hot-toast'
import { CallFailure, said } from '#app/shared/web/call.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'
import { AMOUNT_INVALID } from '../contract.ts'
import { askToPay, type Purchase, startPayment } from './checkout.ts'
import { type Endings, useSettling } from './use-settling.ts'

const declined = (reason = 'The payment was declined.') => void toast.error(reason)

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
export function useCheckout(endings: Endings) {
  const { confirm, settleAll } = useSettling(endings)
  const [busy, setBusy] = useState(false)
  const paying = useRef(false)
  const whenLeft = useLeft()

  const run = async (purchase: Purchase) => {
    const left = whenLeft()
    // nobody pays again before it is known what became of the last payment
    if (await settleAll(purchase.buyer._id)) return
    try {
      const started = await startPayment(purchase)
      const proof = await askToPay(started, purchase, declined, left)
      if (!proof) return toast('Nothing was charged. Your cart is as it was.')
      await confirm({ proof, ids: purchase.ids, buyerId: purchase.buyer._id })
    } catch (error) {
      toast.error(said(error, MESSAGES.paymentFailed))
      if (error instanceof CallFailure) endings.refused(error)
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
