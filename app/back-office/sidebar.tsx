import LogOut from 'lucide-react/icons/log-out'
import Menu from 'lucide-react/icons/menu'
import Store from 'lucide-react/icons/store'
import { useId } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { sessionAtom, useLogOut } from '#app/accounts/web/session.ts'
import { PaymentBanner } from '#app/payments/web/payment-banner.tsx'
import { href } from '#app/shared/model/href.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { Bell } from './bell.tsx'
import { AT_THE_THUMB, MENU } from './menu.ts'
import { SearchButton, ShortcutsButton } from './tools.tsx'
import { waitingAtom } from './waiting.ts'

const HOME = href('/dashboard/admin')

/** Whether the page at `pathname` is one of the entry: the page itself, or one below it. */
function isCurrent(path: string, pathname: string): boolean {
  return pathname === path || (path !== HOME && pathname.startsWith(`${path}/`))
}

type EntryProps = { entry: (typeof MENU)[number][number]; className: string }

/** The link of an entry; the number of things that wait there is its description, beside its name. */
function Entry({ entry: { path, label, icon: Icon }, className }: EntryProps) {
  const { pathname } = useLocation()
  const id = useId()
  const waiting = useStore(waitingAtom).entries?.find(({ menu }) => menu === path)
  return (
    <div className="menu-item">
      <a
        href={path}
        data-prefetch
        aria-describedby={id}
        aria-current={isCurrent(path, pathname) ? 'page' : undefined}
        className={className}
      >
        <Icon aria-hidden="true" className="size-4" />
        {label}
      </a>
      <span id={id} aria-hidden="true" className="waiting text-base-content/75">
        {waiting?.count.toLocaleString('en-US')}
        <span className="sr-only">{waiting && ` ${waiting.what}`}</span>
      </span>
    </div>
  )
}

const DRAWER = 'back-office-menu'

/** The menu of the back office (spec §2): at the left, on a phone a drawer. Every navigation closes the drawer. */
export function Sidebar() {
  const here = useLocation()
  const { key } = useNavigation().location ?? here
  const { user } = useStore(sessionAtom)
  const logOut = useLogOut()
  return (
    <aside key={key} id={DRAWER} popover="auto" className="sidebar">
      {/* on a phone it is above the page */}
      <div className="max-md:hidden">
        <ShopName />
      </div>
      <div className="flex items-center gap-1 px-2 max-md:hidden">
        <SearchButton className="flex-1 px-2" />
        <Bell />
      </div>
      <nav aria-label="Admin Page" className="flex-1 space-y-3 md:overflow-y-auto">
        <p className="px-2 font-medium text-base-content/75 text-xs">Admin Page</p>
        {MENU.map((group) => (
          <ul key={group[0]?.path}>
            {group.map((entry) => (
              <li key={entry.path}>
                <Entry entry={entry} className="menu-entry" />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div className="max-md:hidden">
        <PaymentBanner />
      </div>
      <div className="border-base-300 border-t pt-2">
        <p className="wrap-anywhere px-2 font-medium">{user?.name}</p>
        <ShortcutsButton />
        <button type="button" onClick={logOut} className="menu-entry w-full">
          <LogOut aria-hidden="true" className="size-4" />
          Logout
        </button>
      </div>
    </aside>
  )
}

/** The name of the shop, which leads to the shop. */
const ShopName = ({ className = '' }) => (
  <a href="/" className={`menu-entry min-w-0 font-semibold text-base ${className}`}>
    <Store aria-hidden="true" className="size-4 text-primary" />
    <span className="truncate">{useShop().name}</span>
    <span className="sr-only">: go to the shop</span>
  </a>
)

/** On a phone: the button of the drawer above the page, and the bar at the bottom. */
export const PhoneBars = () => (
  <>
    <div className="md:hidden">
      <PaymentBanner />
    </div>
    <header className="phone-top">
      <button
        type="button"
        popoverTarget={DRAWER}
        aria-label="Menu"
        className="btn btn-ghost btn-square"
      >
        <Menu aria-hidden="true" className="size-5" />
      </button>
      <ShopName className="flex-1" />
      <SearchButton className="btn-ghost btn-square" />
      <Bell />
    </header>
    <nav aria-label="Most used" className="phone-bottom">
      {AT_THE_THUMB.map((entry) => (
        <Entry key={entry.path} entry={entry} className="thumb" />
      ))}
    </nav>
  </>
)
