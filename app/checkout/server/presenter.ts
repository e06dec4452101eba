import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Shipping } from '#app/shipping/server/rates.ts'
import type { Quote } from '../contract.ts'
import type { Quote as CartQuote } from './service.ts'

/** The fields of a quote that only a cart to be shipped has. */
const presentShipping = ({ choices, chosen }: Shipping) => ({
  shippingChoices: choices.map(({ id, label, amountMinor }) => ({ _id: id, label, amountMinor })),
  ...(chosen && { shippingRate: chosen.id }),
})

/** The fields of a quote that only a shop has in which carts are paid without a provider. */
const presentPayment = ({ paymentChoices, paymentMethod }: CartQuote) => ({
  ...(paymentChoices.length > 0 && {
    paymentChoices: paymentChoices.map(({ method, name, feeMinor }) => ({
      method,
      name,
      feeMinor,
    })),
  }),
  ...(paymentMethod && { paymentMethod }),
})

export const presentQuote = (quote: CartQuote): Quote => ({
  currency: quote.currency,
  lines: quote.lines.map((line) => ({
    product: {
      _id: line.cart_id,
      name: line.name,
      slug: line.slug,
      description: line.description,
      photo: line.photo_version,
      stock: line.stock,
      ...(line.before_minor !== null && { compareAt: toMajor(line.before_minor, quote.currency) }),
    },
    quantity: line.quantity,
    priceMinor: line.price_minor,
    discountMinor: line.discount_minor,
    taxMinor: line.tax_minor,
  })),
  ...(quote.gone.length > 0 && { gone: quote.gone }),
  adjustments: quote.adjustments.map(({ kind, label, source, amount_minor, is_included }) => ({
    kind,
    label,
    source,
    amountMinor: amount_minor,
    ...(is_included && { included: true }),
  })),
  subtotalMinor: quote.subtotalMinor,
  totalMinor: quote.totalMinor,
  notices: quote.notices,
  ...(quote.needsDelivery && { needsDelivery: true }),
  ...(quote.shipping && presentShipping(quote.shipping)),
  ...presentPayment(quote),
  ...(quote.agreements.length > 0 && { agreements: quote.agreements }),
})
