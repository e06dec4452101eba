import { formatMinor } from '#app/shared/server/money.ts'
import type { Quote } from './service.ts'

const CHECK = 'Please check your cart before you pay.'

/**
 * The reason why a cart does not cost the amount that its buyer saw, as a sentence: the choices that do
 * not hold any more, or else the new total. Null for a cart of goods only: the prices of goods changed.
 */
export function totalChange(quote: Quote): string | null {
  const { notices, adjustments, shipping, currency, totalMinor } = quote
  if (notices.length > 0) return `${notices.map(({ message }) => message).join(' ')} ${CHECK}`
  if (shipping?.isRateGone) return `The chosen shipping is no longer available. ${CHECK}`
  if (adjustments.length === 0) return null
  return `The total has changed to ${formatMinor(totalMinor, currency)}. ${CHECK}`
}
