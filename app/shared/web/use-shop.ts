import { useRouteLoaderData } from 'react-router'
import type { ShopSettings } from '../contract/shop-settings.ts'

/** Where even the root could not load, a page still has to be shown. */
const UNKNOWN: ShopSettings = {
  name: 'Haat',
  url: null,
  currencyDisplay: 'USD',
  currencyCharge: 'INR',
  payments: 'live',
  demoAdmin: null,
}

/** What every page may know of the shop. */
export const useShop = (): ShopSettings => useRouteLoaderData<ShopSettings>('root') ?? UNKNOWN
