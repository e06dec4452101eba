import { formatMinor } from '#app/shared/server/money-text.ts'
import type { Database } from '#db/schema.ts'
import { settingOf } from './service.ts'

/** Formats an amount in minor units for a sentence. */
export type MoneyText = (minor: number, currency: string) => string

/** Formats money for sentences as the shop's locale does. */
export async function moneyTextOf(db: Database): Promise<MoneyText> {
  const locale = await settingOf(db, 'locale')
  return (minor, currency) => formatMinor(minor, currency, locale)
}
