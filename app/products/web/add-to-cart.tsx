import { cartAtom, withOne } from '#app/cart/web/cart.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { ListedProduct, Product } from '../contract.ts'

type Props = {
  product: ListedProduct | Product
  label: string
  className?: string
  describedBy?: string
}

/** Adds one piece of the product to the cart, while it is in stock. */
export function AddToCart({ product, label, className = '', describedBy }: Props) {
  const add = () => {
    cartAtom.update((cart) => withOne(cart, product))
    toast.success(MESSAGES.itemAdded)
  }
  return (
    <button
      type="button"
      onClick={add}
      disabled={product.quantity === 0}
      aria-describedby={describedBy}
      className={`btn btn-primary needs-script ${className}`}
    >
      {label}
    </button>
  )
}
