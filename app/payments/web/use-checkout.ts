import { useStore } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { CallFailure, said } from '#app/shared/web/call.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'
import { toast } from '#app/shared/web/toast/toast.ts'
import { AMOUNT_INVALID } from '../contract.ts'
import { askToPay, type Purchase, startPayment } from './checkout.ts'
import { unconfirmedAtom } from './unconfirmed.ts'
import { type Endings, useSettling } from './use-settling.ts'

/** One at a time: what is said of a payment takes the place of what was said of the one before. */
const ONE = { id: 'payment' }

const AS_IT_WAS = 'Nothing was charged. Your cart is as it was.'
const ELSEWHERE = 'This tab charged nothing. Your cart was paid or changed in another one.'

/** Why there was no payment; before a proof, none was made. */
function failed(error: unknown): string {
  const unreached = !(error instanceof CallFailure) || error.status === 0
  if (!unreached) return said(error, MESSAGES.paymentFailed)
  const what = error instanceof CallFailure ? 'The shop' : 'The payment provider'
  return `${MESSAGES.paymentFailed}. ${what} cannot be reached: nothing was charged.`
}

export type CheckoutEndings = Endings & {
  /** Whether these are what lies in the cart now, one id a piece. */
  isCart: (ids: string[]) => boolean
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
 * What to say when a dialog went without a payment. With the cart in two tabs, the other one may
 * have paid for it meanwhile.
 */
function useTellLeft({ isCart }: CheckoutEndings) {
  const store = useStore()
  return ({ ids, buyer }: Purchase, reason?: string) => {
    if (reason !== undefined) return toast.error(`${reason} Nothing was charged.`, ONE)
    const isPaid = store.get(unconfirmedAtom).some(({ buyerId }) => buyerId === buyer._id)
    return toast(isCart(ids) && !isPaid ? AS_IT_WAS : ELSEWHERE, ONE)
  }
}

/**
 * Pays, one payment at a time (spec §4). Every ending is said in a toast; leaving the page is
 * leaving the dialog.
 */
export function useCheckout(endings: CheckoutEndings) {
  const tellLeft = useTellLeft(endings)
  const { confirm, settleAll } = useSettling(endings)
  const [busy, setBusy] = useState(false)
  const paying = useRef(false)
  const whenLeft = useLeft()

  const run = async (purchase: Purchase) => {
    const left = whenLeft()
    // nobody pays again before it is known what became of the last payment
    if (await settleAll(purchase.buyer._id)) return
    let reason: string | undefined
    const declined = (why = 'The payment was declined.') => {
      reason = why
    }
    try {
      const started = await startPayment(purchase)
      const proof = await askToPay(started, purchase, declined, left)
      if (!proof) return tellLeft(purchase, reason)
      await confirm({ proof, ids: purchase.ids, buyerId: purchase.buyer._id })
    } catch (error) {
      toast.error(failed(error), ONE)
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
