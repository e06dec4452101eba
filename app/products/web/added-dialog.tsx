import { type CartEntry, cartAtom, totalMinor } from '#app/cart/web/cart.ts'
import { href } from '#app/shared/model/href.ts'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { Picture } from '#app/shared/web/pictures.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { photoUrl } from '../contract.ts'

type Props = { entry: CartEntry; pieces: number; onClose: () => void }

/** A dialog with the added product, and the sum of the cart. */
export function AddedDialog({ entry, pieces, onClose }: Props) {
  const cart = useStore(cartAtom)
  const money = useMoney()
  const count = cart.length === 1 ? '1 item' : `${cart.length} items`
  return (
    <Dialog title={MESSAGES.itemAdded} onClose={onClose}>
      <div className="flex gap-4">
        <Picture src={photoUrl(entry, 320)} size={112} className="size-24" />
        <div className="wrap-anywhere min-w-0 flex-1 space-y-1">
          <p className="font-semibold">{entry.name}</p>
          <p>
            {pieces} × {money(entry.price)}
          </p>
          <p>
            {count} in the cart · together {money(totalMinor(cart) / 100)}
          </p>
        </div>
      </div>
      <div className="mt-4 flex justify-end gap-3">
        <button type="button" onClick={onClose} className="btn">
          Look further
        </button>
        <a href={href('/cart')} className="btn btn-primary">
          Go to cart
        </a>
      </div>
    </Dialog>
  )
}
