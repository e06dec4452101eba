import type { Quote } from '#app/checkout/server/service.ts'
import { PRICE_CHANGED } from './reservations.ts'

const CHECK = 'Please check your cart before you pay.'

/**
 * The sentence for a buyer whose cart does not cost the amount that they saw: the choices that do not
 * hold any more, or else what the total is now.
 */
export function totalChanged({
  notices,
  adjustments,
  shipping,
  currency,
  totalMinor,
}: Quote): string {
  if (notices.length > 0) return `${notices.map(({ message }) => message).join(' ')} ${CHECK}`
  if (shipping?.isRateGone) return `The chosen shipping is no longer available. ${CHECK}`
  if (adjustments.length === 0) return PRICE_CHANGED
  const { format } = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return `The total has changed to ${format(totalMinor / 100)}. ${CHECK}`
}
