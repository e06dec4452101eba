import { useRef } from 'react'
import { productCalls } from '#app/products/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { DOUBLE_CLICK_MS } from '../model.ts'
import { type CartEntry, cartAtom } from './cart.ts'

/** Why a product cannot be added to the cart; null when it can. */
export const soldOutReason = ({ name, quantity }: CartEntry) =>
  quantity === 0 ? `${name} is sold out.` : null

type Press = { timeStamp: number; button: Element | null }

/** Stores the text of a product that was added from a card. Without an answer its entry has the beginning alone. */
async function addDescription({ _id, slug, description }: CartEntry) {
  if (description !== undefined) return
  const answer = await call(productCalls.getProduct, { params: { slug } }).catch(() => null)
  if (!answer) return
  const { product } = answer
  cartAtom.update((cart) =>
    cart.map((entry) =>
      entry._id === _id && entry.description === undefined
        ? { ...entry, description: product.description }
        : entry,
    ),
  )
}

/**
 * Adds pieces of a product to the cart, and says so at the end of the window that is farther from the button.
 * Answers whether it did: a double click adds once.
 */
export function useAddToCart() {
  const addedAt = useRef(Number.NEGATIVE_INFINITY)
  return (product: CartEntry, pieces: number, { timeStamp, button }: Press): boolean => {
    if (timeStamp - addedAt.current < DOUBLE_CLICK_MS) return false
    addedAt.current = timeStamp
    cartAtom.update((cart) => [...cart, ...Array<CartEntry>(pieces).fill(product)])
    toast.success(MESSAGES.itemAdded, { id: MESSAGES.itemAdded, awayFrom: button })
    void addDescription(product)
    return true
  }
}
