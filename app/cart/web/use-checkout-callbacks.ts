import { useNavigate } from 'react-router'
import { sessionAtom } from '#app/accounts/web/session.ts'
import type { CheckoutCallbacks } from '#app/payments/web/use-checkout.ts'
import { cartAtom, without } from './cart.ts'

type Page = {
  /** Refreshes the cart. */
  check: () => Promise<void>
  /** Shows a sentence until the page is left. */
  notOrdered: (sentence: string) => void
}

/** Applies the outcome of a payment to the cart. */
export function useCheckoutCallbacks({ check, notOrdered }: Page): CheckoutCallbacks {
  const navigate = useNavigate()
  return {
    paid({ ids }) {
      // entries that another tab has added meanwhile stay
      cartAtom.update((stored) => without(stored, ids))
      void navigate('/dashboard/user/orders', { state: { isOrdered: true } })
    },
    notOrdered,
    isCart(ids) {
      const now = cartAtom.get()
      return now.length === ids.length && without(now, ids).length === 0
    },
    refused: ({ status }) => (status === 401 ? sessionAtom.reset() : void check()),
  }
}
