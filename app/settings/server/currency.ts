/** The currency of the shop: of its prices and charges, and when it may change. */
import { type ProviderSettings, takesMoney } from '#app/payments/server/providers/list.ts'
import { decimalsOf } from '#app/shared/model/minor-units.ts'
import type { Database } from '#db/schema.ts'
import { DEFAULTS } from './defaults.ts'
import { selectHasAmounts, selectSetting } from './store.ts'

/** The currency of the shop's prices (ISO 4217). */
export const shopCurrencyOf = async (db: Database): Promise<string> =>
  (await selectSetting(db, 'currencyDisplay')) ?? DEFAULTS.currencyDisplay

/**
 * The currency of charges (ISO 4217), and whether it is fixed: by the environment, or as a provider takes money. Then
 * it must be displayed, too. The demo charges the displayed figures in it.
 */
export type ChargeCurrency = { currency: string; isFixed: boolean; isDemo: boolean }

/**
 * As the environment or a stored connection sets it. The demo shows another currency than it charges, as
 * specified; no other shop does (spec §9).
 */
export const chargeCurrencyOf = (
  environment: ProviderSettings & { CURRENCY_CHARGE: string; isCurrencySet: boolean },
  { isDemo }: { isDemo: boolean },
): ChargeCurrency => ({
  currency: environment.CURRENCY_CHARGE,
  isFixed: !isDemo && (environment.isCurrencySet || takesMoney(environment)),
  isDemo,
})

/** Why a currency may not be displayed. */
export function currencyConflict(
  displayed: string,
  { currency, isFixed, isDemo }: ChargeCurrency,
): string | null {
  if (isDemo && decimalsOf(displayed) !== decimalsOf(currency))
    return `The demo charges the figures of its prices in ${currency}: prices need a currency with as many decimals.`
  return !isFixed || currency === displayed
    ? null
    : `Payments are charged in ${currency}: prices must be displayed in the same currency.`
}

/** Why the shop may not change to a currency with other decimals: stored amounts are integers of its minor units. */
export async function decimalsConflict(db: Database, currency: string): Promise<string | null> {
  const present = await shopCurrencyOf(db)
  if (decimalsOf(present) === decimalsOf(currency) || !(await selectHasAmounts(db))) return null
  return `${currency} has another number of decimals than ${present}, so every stored price would become another one. Export the products as CSV, delete them with the discounts and the shipping zones, change the currency, and import the file with its new prices.`
}
