import type { Quote } from '../contract.ts'
import type { Quote as CartQuote } from './service.ts'

export const presentQuote = (quote: CartQuote): Quote => ({
  currency: quote.currency,
  lines: quote.lines.map(({ product_id, name, slug, quantity, price_minor }) => ({
    product: { _id: product_id, name, slug },
    quantity,
    priceMinor: price_minor,
  })),
  adjustments: quote.adjustments.map(({ amount_minor, ...adjustment }) => ({
    ...adjustment,
    amountMinor: amount_minor,
  })),
  subtotalMinor: quote.subtotalMinor,
  totalMinor: quote.totalMinor,
})
