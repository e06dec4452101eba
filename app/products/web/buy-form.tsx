import { type SubmitEvent, useState } from 'react'
import type { CartEntry } from '#app/cart/web/cart.ts'
import { soldOutReason, useAddToCart } from '#app/cart/web/use-add-to-cart.ts'
import { href } from '#app/shared/model/href.ts'
import { ReasonButton } from '#app/shared/web/form/reason-button.tsx'

/** The most pieces that are added at once; the cart takes more. */
const MAX_PIECES = 100

/** Adds pieces to the cart, while there are any in stock. Then a link to the cart stands beside the button. */
export function BuyForm({ entry }: { entry: CartEntry }) {
  const addToCart = useAddToCart()
  const [isAdded, setAdded] = useState(false)
  const { quantity } = entry
  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const pieces = Number(new FormData(event.currentTarget).get('quantity'))
    const { timeStamp, nativeEvent } = event
    addToCart(entry, pieces, { timeStamp, button: nativeEvent.submitter })
    setAdded(true)
  }
  return (
    <form method="post" onSubmit={add} className="buy-form needs-script">
      <label>
        <span className="font-medium text-sm">Quantity</span>
        <input
          name="quantity"
          type="number"
          defaultValue="1"
          min={1}
          max={Math.min(quantity, MAX_PIECES)}
          required
          autoComplete="off"
          disabled={quantity === 0}
          className="input bg-base-200"
        />
      </label>
      <ReasonButton
        type="submit"
        reason={soldOutReason(entry)}
        className="btn-primary btn-lg w-full sm:w-auto sm:px-12"
      >
        ADD TO CART
      </ReasonButton>
      {isAdded && (
        <a href={href('/cart')} className="btn btn-lg w-full sm:w-auto">
          Go to cart
        </a>
      )}
    </form>
  )
}
