import { type MoneyText, moneyTextOf } from '#app/settings/server/money-text.ts'
import { type Failure, priceChanged } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { presentQuote } from './presenter.ts'
import type { Quote } from './service.ts'

export { presentQuote } from './presenter.ts'

const CHECK = 'Please check your cart before you pay.'

/** The message of a price of goods that has changed since the buyer saw it. */
export const PRICE_CHANGED = `A price has changed. ${CHECK}`

/**
 * The reason why a cart does not cost the amount that its buyer saw: the choices that do not apply any
 * more, or else the new total. For a cart of goods only, the prices of goods have changed.
 */
function reasonOf(
  { notices, adjustments, shipping, currency, totalMinor }: Quote,
  money: MoneyText,
): string {
  if (notices.length > 0) return `${notices.map(({ message }) => message).join(' ')} ${CHECK}`
  if (shipping?.isRateGone) return `The chosen shipping is no longer available. ${CHECK}`
  if (adjustments.length === 0) return PRICE_CHANGED
  return `The total has changed to ${money(totalMinor, currency)}. ${CHECK}`
}

/** The failure of a cart whose quote is not what its buyer saw; it has the quote. */
export const quoteChanged = async (
  db: Database,
  quote: Quote,
  message?: string,
): Promise<Failure> =>
  priceChanged(message ?? reasonOf(quote, await moneyTextOf(db)), presentQuote(quote))
