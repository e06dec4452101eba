import { useRouteLoaderData } from 'react-router'
import type { ShopSettings } from '../contract/shop-settings.ts'

/** Default settings, for the error page when the root could not be loaded. */
const UNKNOWN: ShopSettings = {
  name: 'Haat',
  url: null,
  currencyDisplay: 'USD',
  currencyCharge: 'INR',
  moneyFormats: {},
  payments: 'live',
  demoAdmin: null,
}

/** The public settings of the shop. */
export const useShop = (): ShopSettings => useRouteLoaderData<ShopSettings>('root') ?? UNKNOWN
