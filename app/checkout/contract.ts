/** Checkout: what a cart costs, part by part. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Id } from '../shared/contract/fields.ts'
import { Cart } from './cart-contract.ts'
import { Choices } from './choices-contract.ts'

const Minor = Type.Integer({ description: 'Minor units' })

/** What a total has beside its lines, in the order in which it is shown. */
export const ADJUSTMENT_KINDS = ['discount', 'shipping', 'tax'] as const

export const Adjustment = Type.Object({
  kind: Type.Enum([...ADJUSTMENT_KINDS]),
  label: Type.String(),
  amountMinor: { ...Minor, description: 'Minor units; negative for a discount' },
  source: Type.String({ description: 'What it comes from, such as the code of a coupon' }),
  included: Type.Optional(
    Type.Boolean({ description: 'Tax that the prices contain: it is not added to the total' }),
  ),
})
export type Adjustment = Static<typeof Adjustment>

/** A choice that does not hold, and is left out of the quote. */
export const Notice = Type.Object({
  about: Type.Enum(['coupon', 'shipping']),
  message: Type.String({ description: 'Why, as a sentence for the buyer' }),
  source: Type.Optional(Type.String({ description: 'The choice, such as the code of a coupon' })),
})
export type Notice = Static<typeof Notice>

export const Quote = Type.Object({
  currency: Type.String({ description: 'In which it is charged, ISO 4217' }),
  lines: Type.Array(
    Type.Object({
      product: Type.Object({ _id: Id, name: Type.String(), slug: Type.String() }),
      quantity: Type.Integer(),
      priceMinor: { ...Minor, description: 'Of one piece, in minor units' },
      discountMinor: { ...Minor, description: 'Its share of the discounts, in minor units' },
      taxMinor: { ...Minor, description: 'The tax of what is left of it, in minor units' },
    }),
    { description: 'One entry a product, in the order of the cart' },
  ),
  adjustments: Type.Array(Adjustment),
  subtotalMinor: { ...Minor, description: 'The sum of the lines' },
  totalMinor: { ...Minor, description: 'The sum of lines and adjustments: what is charged' },
  notices: Type.Array(Notice),
})
export type Quote = Static<typeof Quote>

export const checkoutCalls = {
  quoteCart: endpoint({
    method: 'POST',
    path: '/checkout/quote',
    access: 'public',
    identifiesCaller: true,
    summary:
      'What a cart costs today; reserves nothing. Wrong coupon codes are limited by account and network',
    limits: [{ by: 'address', most: 600, seconds: 60 }],
    body: Type.Object({ cart: Cart, ...Choices.properties }),
    answer: Quote,
  }),
} satisfies Contract
