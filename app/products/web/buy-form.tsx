import { type SubmitEvent, useState } from 'react'
import { type CartEntry, cartAtom } from '#app/cart/web/cart.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { AddedDialog } from './added-dialog.tsx'

/** The most pieces that are added at once; the cart takes more. */
const MAX_PIECES = 100

/** The added product, with the dialog that shows it, which is loaded when it is needed. */
type Added = { Shown: typeof AddedDialog; entry: CartEntry; pieces: number }

/** Adds pieces to the cart, while there are any in stock, and shows what was added. */
export function BuyForm({ entry }: { entry: CartEntry }) {
  const [added, setAdded] = useState<Added>()
  const { quantity } = entry
  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const pieces = Number(new FormData(event.currentTarget).get('quantity'))
    cartAtom.update((cart) => [...cart, ...Array<CartEntry>(pieces).fill(entry)])
    import('./added-dialog.tsx').then(
      ({ AddedDialog: Shown }) => setAdded({ Shown, entry, pieces }),
      () => toast.success(MESSAGES.itemAdded),
    )
  }
  return (
    <>
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
        <button
          type="submit"
          disabled={quantity === 0}
          className="btn btn-primary btn-lg w-full sm:w-auto sm:px-12"
        >
          ADD TO CART
        </button>
      </form>
      {added && <added.Shown {...added} onClose={() => setAdded(undefined)} />}
    </>
  )
}
