import { settingsOf } from '#app/settings/server/service.ts'
import { decimalsOf, toMajor } from '#app/shared/model/minor-units.ts'
import { notFound } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'

/** The settings of the environment that this domain reads. */
export type SeoSettings = { SHOP_URL?: string; DATA_DIR: string }

/** The public address of the shop, without a trailing slash; null when it is not set. */
export type ShopUrl = string | null

/** The facts about the shop in documents for search engines. The merchant may change them at any time. */
export async function shopFactsOf(db: Database, url: ShopUrl) {
  const { name, currencyDisplay, scheme, logo } = await settingsOf(db)
  return {
    name,
    url,
    /** The currency of prices (ISO 4217). */
    currency: currencyDisplay,
    /** Whether every visitor has the dark theme. */
    isDark: scheme === 'dark',
    /** The id of its picture; null for a shop without a logo. */
    logo: logo?.id ?? null,
  }
}
export type ShopFacts = Awaited<ReturnType<typeof shopFactsOf>>

/**
 * The public address, for documents whose links must be absolute. The `Host` header may be forged,
 * so it is not used. Throws `not_found` without the setting.
 */
export function requireUrl(url: ShopUrl): string {
  if (url === null) throw notFound('This needs the public address of the shop: set SHOP_URL.')
  return url
}

/** A price in major units with the decimals of its currency, as structured data and feeds write it. */
export const priceText = (minor: number, currency: string) =>
  toMajor(minor, currency).toFixed(decimalsOf(currency))
