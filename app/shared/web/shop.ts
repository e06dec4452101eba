import { createContext, useRouteLoaderData } from 'react-router'
import type { PublicSettings } from '../contract/public-settings.ts'
import { NO_SETTINGS, type ShopSettings } from '../model/shop-settings.ts'

/** The data of the layout with the settings of the last navigation; none when they did not load. */
type LayoutData = { settings?: PublicSettings | null }

/** The public settings of the shop: those of the page's first load, and what has changed since. */
export const useShop = (): ShopSettings => ({
  ...(useRouteLoaderData<ShopSettings>('root') ?? NO_SETTINGS),
  ...useRouteLoaderData<LayoutData>('layouts/storefront-layout')?.settings,
  ...useRouteLoaderData<LayoutData>('back-office/back-office-layout')?.settings,
})

/** The shop's settings for the loaders of pages. */
export const shopContext = createContext<ShopSettings>()
