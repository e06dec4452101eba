import { atom } from 'nanostores'
import { useEffect, useEffectEvent } from 'react'
import { useBuyer } from '#app/accounts/web/buyer.ts'
import { CallFailure, messageOf } from '#app/shared/web/call.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { PAYMENT_FAILED } from '../contract.ts'
import { type Unconfirmed, unconfirmedAtom, withoutPayment } from './unconfirmed.ts'
import { isTransient, verifyPayment } from './verify-payment.ts'

export type VerificationCallbacks = {
  /** The order is placed; `ids` are the products, one a piece. */
  paid: (bought: { ids: string[] }) => void
  /** The server refused: the cart or the session has changed. */
  refused: (failure: CallFailure) => void
  /** The payment made no order; the sentence says why, and must stay visible. */
  notOrdered?: (sentence: string) => void
}

export const NOT_YET =
  'Your payment is not confirmed yet. Please do not pay again. It is checked again when you open your cart or your orders.'

/** A toast about a payment replaces the one before. */
export const TOAST = { id: 'payment' }

/** Whether the same proof may still be accepted later. */
const isUndecided = (error: unknown) =>
  isTransient(error) || (error instanceof CallFailure && error.status === 401)

/** Removes a proof; false when another tab has done so. */
function forget(payment: Unconfirmed): boolean {
  let known = false
  unconfirmedAtom.update((all) => {
    const rest = withoutPayment(all, payment)
    known = rest.length < all.length
    return rest
  })
  return known
}

/** Shows why there is no order yet, or, from the answer, why there will be none. */
function showFailure(payment: Unconfirmed, error: unknown): string | undefined {
  if (isUndecided(error)) {
    toast.error(NOT_YET, { id: 'not-yet' })
  } else if (forget(payment)) {
    const sentence = messageOf(error, PAYMENT_FAILED)
    toast.error(sentence)
    return sentence
  }
}

/** The number of proofs that this tab is verifying. */
const verifyingAtom = atom(0)

/**
 * Whether a payment of the buyer (of any buyer, for a guest) is unconfirmed, and
 * whether it is being verified.
 */
export function useUnconfirmed() {
  const buyerId = useBuyer()?._id
  const isVerifying = useStore(verifyingAtom) > 0
  const all = useStore(unconfirmedAtom)
  const isOpen = all.some((payment) => payment.buyerId === (buyerId ?? payment.buyerId))
  return { isOpen, isVerifying }
}

/**
 * Verifies payments, and shows the result in a toast. A proof is stored in the browser until the
 * server has answered.
 */
export function useVerification({ paid, refused, notOrdered }: VerificationCallbacks) {
  const settle = async (payment: Unconfirmed) => {
    verifyingAtom.set(verifyingAtom.get() + 1)
    try {
      const { message } = await verifyPayment(payment)
      if (!forget(payment)) return
      toast.success(message, TOAST)
      paid(payment)
    } catch (error) {
      const sentence = showFailure(payment, error)
      if (sentence !== undefined) notOrdered?.(sentence)
      if (error instanceof CallFailure) refused(error)
    } finally {
      verifyingAtom.set(verifyingAtom.get() - 1)
    }
  }

  /** Verifies all stored proofs of this buyer; false when there is none. */
  const settleAll = async (buyerId: string) => {
    const unconfirmed = unconfirmedAtom.get().filter((payment) => payment.buyerId === buyerId)
    for (const payment of unconfirmed) await settle(payment)
    return unconfirmed.length > 0
  }
  /** Stores a new proof and verifies it. */
  const confirm = (payment: Unconfirmed) => {
    unconfirmedAtom.update((all) => [...all, payment])
    return settle(payment)
  }
  return { confirm, settleAll }
}

/**
 * Verifies the buyer's stored proofs when a page opens that shows their payments, and when the connection is back.
 * The answer verifies once more.
 */
export function useVerifyOnOpen(isShown: boolean, callbacks: VerificationCallbacks) {
  const buyer = useBuyer()
  const buyerId = isShown ? buyer?._id : undefined
  const { settleAll } = useVerification(callbacks)
  const verifyAll = useEffectEvent((id: string) => void settleAll(id))
  useEffect(() => {
    if (buyerId === undefined) return
    const again = () => verifyAll(buyerId)
    again()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [buyerId])
  return async () => buyerId !== undefined && settleAll(buyerId)
}
