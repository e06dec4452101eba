import { atom, useAtomValue, useStore } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { CallFailure, said } from '#app/shared/web/call.ts'
import { toast } from '#app/shared/web/toast/toast.ts'
import { PAYMENT_FAILED } from '../contract.ts'
import { isHiccup, verifyPayment } from './checkout.ts'
import { type Unconfirmed, unconfirmedAtom, withoutPayment } from './unconfirmed.ts'

export type Endings = {
  /** The order stands; `ids` is what was bought, one a piece. */
  paid: (bought: { ids: string[] }) => void
  /** The server would not: the cart or the session is not what it was. */
  refused: (failure: CallFailure) => void
  /** Money moved, and the sentence is why it made no order: to be kept in sight. */
  turnedDown?: (sentence: string) => void
}

export const NOT_YET =
  'Your payment is not confirmed yet. Please do not pay again: the shop asks once more when you open your cart or your orders.'

/** The log-in has ended, or nobody knows: the same proof may still be answered. */
const isOpen = (error: unknown) =>
  isHiccup(error) || (error instanceof CallFailure && error.status === 401)

type Store = ReturnType<typeof useStore>

/** Whether it was still there: of two tabs that ask, one tells. */
function forget(store: Store, payment: Unconfirmed): boolean {
  let known = false
  store.set(unconfirmedAtom, (all) => {
    const rest = withoutPayment(all, payment)
    known = rest.length < all.length
    return rest
  })
  return known
}

/** Says once why there is no order yet; or none at all, which it answers. */
function tell(store: Store, payment: Unconfirmed, error: unknown): string | undefined {
  if (isOpen(error)) {
    toast.error(NOT_YET, { id: 'not-yet' })
  } else if (forget(store, payment)) {
    const sentence = said(error, PAYMENT_FAILED)
    toast.error(sentence)
    return sentence
  }
}

/** How many proofs are being asked about in this tab. */
const askingAtom = atom(0)

/** What this buyer has paid, or anybody where nobody is signed in, and whether it is being asked about. */
export function useUnconfirmed(buyerId: string | undefined) {
  const isAsking = useAtomValue(askingAtom) > 0
  const all = useAtomValue(unconfirmedAtom)
  const isOpen = all.some((payment) => payment.buyerId === (buyerId ?? payment.buyerId))
  return { isOpen, isAsking }
}

/**
 * Has payments answered by the server, and says in a toast what came of them. A proof is kept in
 * the browser until then; what is stored is in the atom as long as somebody watches it.
 */
export function useSettling({ paid, refused, turnedDown }: Endings) {
  const store = useStore()
  useAtomValue(unconfirmedAtom)

  const settle = async (payment: Unconfirmed) => {
    store.set(askingAtom, (count) => count + 1)
    try {
      const { message } = await verifyPayment(payment)
      if (!forget(store, payment)) return
      toast.success(message)
      paid(payment)
    } catch (error) {
      const sentence = tell(store, payment, error)
      if (sentence !== undefined) turnedDown?.(sentence)
      if (error instanceof CallFailure) refused(error)
    } finally {
      store.set(askingAtom, (count) => count - 1)
    }
  }

  /** Asks again for what this buyer has paid; whether there was anything. */
  const settleAll = async (buyerId: string) => {
    const mine = store.get(unconfirmedAtom).filter((payment) => payment.buyerId === buyerId)
    for (const payment of mine) await settle(payment)
    return mine.length > 0
  }
  /** Keeps a new proof, and asks for it. */
  const confirm = (payment: Unconfirmed) => {
    store.set(unconfirmedAtom, (all) => [...all, payment])
    return settle(payment)
  }
  return { confirm, settleAll }
}

/**
 * Asks again as soon as the page opens, and when the connection is back; `buyerId` is undefined
 * where nobody is to be asked for. Answers how to ask once more.
 */
export function useSettlingOnOpening(buyerId: string | undefined, endings: Endings) {
  const { settleAll } = useSettling(endings)
  const ask = useEffectEvent((id: string) => void settleAll(id))
  useEffect(() => {
    if (buyerId === undefined) return
    const again = () => ask(buyerId)
    again()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [buyerId])
  return async () => buyerId !== undefined && settleAll(buyerId)
}
