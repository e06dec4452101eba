import { cartAtom } from '#app/cart/web/cart.ts'
import { href } from '#app/shared/model/href.ts'
import { NavLink } from '#app/shared/web/navigation.tsx'
import { Icon } from '#app/shared/web/pictures.tsx'
import { useStore } from '#app/shared/web/storage.ts'

/** The link to the cart with the number of its units, 0 when empty (spec §2). */
export function CartLink() {
  const cart = useStore(cartAtom)
  return (
    <li className="way-cell">
      <NavLink href={href('/cart')} className="way relative">
        <Icon name="cart" className="size-5" />
        Cart{' '}
        <span className="badge badge-primary badge-sm rounded-full absolute top-1 left-1/2 ml-2 min-w-6 px-1.5 md:static md:ml-0 md:min-w-9">
          {cart.length}
        </span>{' '}
        <span className="sr-only">{cart.length === 1 ? 'item' : 'items'}</span>
      </NavLink>
    </li>
  )
}
