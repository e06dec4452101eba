import type { LucideIcon } from 'lucide-react'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import CreditCard from 'lucide-react/icons/credit-card'
import History from 'lucide-react/icons/history'
import House from 'lucide-react/icons/house'
import ListChecks from 'lucide-react/icons/list-checks'
import Mail from 'lucide-react/icons/mail'
import Package from 'lucide-react/icons/package'
import PackagePlus from 'lucide-react/icons/package-plus'
import Percent from 'lucide-react/icons/percent'
import ReceiptText from 'lucide-react/icons/receipt-text'
import Settings from 'lucide-react/icons/settings'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import Tags from 'lucide-react/icons/tags'
import Truck from 'lucide-react/icons/truck'
import Users from 'lucide-react/icons/users'
import { href } from '#app/shared/model/href.ts'

type MenuEntry = {
  path: string
  label: string
  icon: LucideIcon
  /** Leads there after G. */
  key?: string
}

/** The menu of the back office, in groups. The names of the specification stay (spec §2). */
export const MENU: MenuEntry[][] = [
  [
    { path: href('/dashboard/admin'), label: 'Home', icon: House, key: 'h' },
    { path: href('/dashboard/admin/orders'), label: 'Orders', icon: ShoppingBag, key: 'o' },
    { path: href('/dashboard/admin/payments'), label: 'Payments', icon: CreditCard, key: 'y' },
  ],
  [
    { path: href('/dashboard/admin/products'), label: 'Products', icon: Package, key: 'p' },
    { path: href('/dashboard/admin/create-product'), label: 'Create Product', icon: PackagePlus },
    { path: href('/dashboard/admin/create-category'), label: 'Create Category', icon: Tags },
    { path: href('/dashboard/admin/attributes'), label: 'Attributes', icon: ListChecks },
    {
      path: href('/dashboard/admin/import-export'),
      label: 'Import and export',
      icon: ArrowLeftRight,
    },
  ],
  [
    { path: href('/dashboard/admin/users'), label: 'Users', icon: Users, key: 'u' },
    { path: href('/dashboard/admin/coupons'), label: 'Discounts', icon: Percent, key: 'd' },
    { path: href('/dashboard/admin/shipping'), label: 'Shipping', icon: Truck },
    { path: href('/dashboard/admin/taxes'), label: 'Taxes', icon: ReceiptText },
  ],
  [
    { path: href('/dashboard/admin/settings'), label: 'Settings', icon: Settings, key: 's' },
    { path: href('/dashboard/admin/outbox'), label: 'Outbox', icon: Mail },
    { path: href('/dashboard/admin/history'), label: 'History', icon: History },
  ],
]

/** What a merchant does most on a phone: the bar at the bottom. */
export const AT_THE_THUMB = MENU.flat().filter(({ label }) =>
  ['Home', 'Orders', 'Products', 'Users'].includes(label),
)
