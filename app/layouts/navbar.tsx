import { cartAtom } from '#app/cart/web/cart.ts'
import { type Category, categoryPath } from '#app/categories/contract.ts'
import { pictureUrl } from '#app/settings/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { NavLink } from '#app/shared/web/navigation.tsx'
import { Icon } from '#app/shared/web/pictures.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { AccountMenu } from './account-menu.tsx'
import { Dropdown } from './dropdown.tsx'
import { SearchForm } from './search-form.tsx'

/** A name of more characters is written smaller, on up to two lines. */
const isLong = (name: string) => name.length > 14

/** Brand, search form and menus. On a phone the menus are at the bottom of the window. */
export function Navbar({ categories }: { categories: Category[] }) {
  const { name, logo } = useShop()
  return (
    <header className="sticky top-0 z-30 print:hidden">
      <div className="bg-base-100">
        <div className="mx-auto flex min-h-16 max-w-7xl items-center gap-4 px-4 menu-row lg:gap-8 lg:px-8">
          <a
            href="/"
            dir="auto"
            className={`wrap-anywhere max-h-16 min-w-0 overflow-hidden font-display font-semibold text-primary tracking-tight ${isLong(name) ? 'text-base leading-tight' : 'text-2xl'}`}
          >
            {logo ? (
              <img
                src={pictureUrl(logo.id, 400)}
                alt={name}
                width={logo.width}
                height={logo.height}
                // on a dark page the letters of most logos need a light plate
                className="h-10 w-auto max-w-full logo"
              />
            ) : (
              name
            )}
          </a>
          <SearchForm />
          <nav
            aria-label="Main"
            className="fixed inset-x-0 bottom-0 z-30 border-base-300 border-t bg-base-100 pb-[env(safe-area-inset-bottom)] md:static md:ml-auto md:border-0 md:p-0"
          >
            <ul className="flex h-16 items-stretch justify-around md:items-center md:gap-1">
              <li className="way-cell">
                <NavLink href="/" className="way">
                  <Icon name="home" className="size-5 md:hidden" />
                  Home
                </NavLink>
              </li>
              <CategoriesMenu categories={categories} />
              <AccountMenu />
              <CartLink />
            </ul>
          </nav>
        </div>
      </div>
      <div aria-hidden="true" className="awning pointer-events-none absolute inset-x-0 top-full" />
    </header>
  )
}

/** All Categories, and one entry for each category (spec §2). */
function CategoriesMenu({ categories }: { categories: Category[] }) {
  return (
    <li className="way-cell">
      <Dropdown
        id="categories-menu"
        label={
          <>
            <Icon name="shelves" className="size-5 md:hidden" />
            Categories
          </>
        }
      >
        <li>
          <NavLink href={href('/categories')} className="entry font-semibold">
            All Categories
          </NavLink>
        </li>
        {categories.map((category) => (
          <li key={category._id}>
            <NavLink href={categoryPath(category)} className="entry">
              {category.name}
            </NavLink>
          </li>
        ))}
      </Dropdown>
    </li>
  )
}

/** The link to the cart with the number of its units, 0 when empty (spec §2). */
function CartLink() {
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
