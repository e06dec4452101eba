import { createContext } from 'react-router'
import type { ShopSettings } from '../contract/shop-settings.ts'

/** The settings of the shop, for the loaders of pages. */
export const shopContext = createContext<ShopSettings>()
