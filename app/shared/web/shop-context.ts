import { createContext } from 'react-router'
import type { ShopSettings } from '../model/shop-settings.ts'

/** The shop's settings for the loaders of pages. */
export const shopContext = createContext<ShopSettings>()
