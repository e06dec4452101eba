import type { AdminCall } from './admin-call.ts'
import { COUPONS } from './coupons.ts'
import { EMAILS } from './emails.ts'
import { ORDERS } from './orders.ts'
import { PEOPLE } from './people.ts'
import { PLACES } from './places.ts'
import { PRODUCTS } from './products.ts'
import { SETTINGS } from './settings.ts'

/** Every call of the back office, with the page and the steps that make it. */
export const ADMIN_CALLS: AdminCall[] = [
  ...PEOPLE,
  ...PRODUCTS,
  ...COUPONS,
  ...ORDERS,
  ...PLACES,
  ...SETTINGS,
  ...EMAILS,
]
