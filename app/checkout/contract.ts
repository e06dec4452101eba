/** Checkout: what a cart costs, part by part. */
import { type Static, Type } from 'typebox'
import { ADJUSTMENT_KINDS, PAYMENT_METHODS } from '../orders/contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Id, Nullable, Price, stripped, Text } from '../shared/contract/fields.ts'
import { LEGAL_PAGES } from '../shared/contract/public-settings.ts'
import { type DeliveryAddress, DeliveryPlace } from '../shipping/contract.ts'

/** An order repeats each unit with its description, so a longer cart would make lists without end. */
export const MAX_CART_UNITS = 200

/**
 * A cart of whole products, of which only the ids are read. A product bought twice appears twice.
 */
export const Cart = Type.Array(Type.Object({ _id: Id }), { maxItems: MAX_CART_UNITS })

/** The maximum of coupon codes in one cart. */
export const MAX_COUPON_CODES = 5

/** A code as a customer types it; case, format characters and surrounding blanks do not matter. */
const CouponCode = stripped('code', Text({ minLength: 1, maxLength: 100 }))

/** The quote and the start of a payment take the same choices. */
export const Choices = Type.Object({
  couponCodes: Type.Optional(Type.Array(CouponCode, { maxItems: MAX_COUPON_CODES })),
  automaticDiscounts: Type.Optional(
    Type.Boolean({
      description: 'Whether discounts without a code apply, too. Without it none does',
    }),
  ),
  shippingRate: Type.Optional({ ...Id, description: 'One of the choices of the quote' }),
  paymentMethod: Type.Optional(
    Type.Enum([...PAYMENT_METHODS], {
      description: 'One of the choices of the quote, to pay without a provider',
    }),
  ),
})
export type Choices = Static<typeof Choices>

/** A version of a legal text to which the buyer agrees. */
export const Agreement = Type.Object({
  page: Type.Enum([...LEGAL_PAGES], { description: 'The page of the text' }),
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
})
export type Agreement = Static<typeof Agreement>

/** The versions to which the buyer has agreed, as the quote names them. */
export const Agreements = Type.Array(Agreement, { maxItems: LEGAL_PAGES.length })

/** The choices with the whole delivery address, of which the quote takes the place, and the billing address. */
export type StartChoices = Choices & {
  delivery?: DeliveryAddress
  billing?: DeliveryAddress
  agreements?: Agreement[]
}

const Minor = Type.Integer({ description: 'Minor units' })

export const Adjustment = Type.Object({
  kind: Type.Enum([...ADJUSTMENT_KINDS]),
  label: Type.String(),
  amountMinor: { ...Minor, description: 'Minor units; negative for a discount' },
  source: Type.String({
    description:
      'What it comes from, such as the code of a coupon; of an automatic discount its id',
  }),
  included: Type.Optional(
    Type.Boolean({ description: 'Tax that the prices contain: it is not added to the total' }),
  ),
})
export type Adjustment = Static<typeof Adjustment>

/** A choice that does not apply, and is left out of the quote, or one that is missing. */
export const Notice = Type.Object({
  about: Type.Enum(['coupon', 'shipping', 'delivery', 'payment']),
  message: Type.String({ description: 'Why, as a sentence for the buyer' }),
  source: Type.Optional(
    Type.String({
      description:
        'The choice, such as the code of a coupon; of delivery, the missing field: the total is an estimate',
    }),
  ),
})
export type Notice = Static<typeof Notice>

/** A rate by which the cart can be delivered. */
export const ShippingChoice = Type.Object({
  _id: Id,
  label: Type.String(),
  amountMinor: { ...Minor, description: 'Minor units; 0 is free' },
})
export type ShippingChoice = Static<typeof ShippingChoice>

/** A way to pay for the cart without a provider. */
export const PaymentChoice = Type.Object({
  method: Type.Enum([...PAYMENT_METHODS]),
  name: Type.String(),
  feeMinor: { ...Minor, description: 'Minor units; 0 without a fee' },
})
export type PaymentChoice = Static<typeof PaymentChoice>

export const Quote = Type.Object({
  currency: Type.String({ description: 'In which it is charged, ISO 4217' }),
  lines: Type.Array(
    Type.Object({
      product: Type.Object({
        _id: Id,
        name: Type.String(),
        slug: Type.String(),
        description: Type.String({ description: 'The first 200 characters' }),
        photo: Nullable(Type.String({ description: "The photo's version" })),
        stock: Type.Integer({ description: 'How many are in stock' }),
        compareAt: Type.Optional({ ...Price, description: 'The price before a reduction' }),
      }),
      quantity: Type.Integer(),
      priceMinor: { ...Minor, description: 'Of one piece, in minor units' },
      discountMinor: { ...Minor, description: 'Its share of the discounts, in minor units' },
      taxMinor: { ...Minor, description: 'The tax of what is left of it, in minor units' },
    }),
    { description: 'One entry a product, in the order of the cart' },
  ),
  gone: Type.Optional(
    Type.Array(Id, { description: 'Products of the cart that are no longer sold: without a line' }),
  ),
  adjustments: Type.Array(Adjustment),
  subtotalMinor: { ...Minor, description: 'The sum of the lines' },
  totalMinor: { ...Minor, description: 'The sum of lines and adjustments: what is charged' },
  notices: Type.Array(Notice),
  needsDelivery: Type.Optional(
    Type.Boolean({ description: 'The delivery address decides about shipping or tax' }),
  ),
  shippingChoices: Type.Optional(
    Type.Array(ShippingChoice, { description: 'Only of a cart that has to be shipped' }),
  ),
  shippingRate: Type.Optional({ ...Id, description: 'The choice in the total' }),
  paymentChoices: Type.Optional(
    Type.Array(PaymentChoice, {
      description: 'Ways to pay for this cart without a provider, if any',
    }),
  ),
  paymentMethod: Type.Optional(
    Type.Enum([...PAYMENT_METHODS], { description: 'The choice whose fee is in the total' }),
  ),
  agreements: Type.Optional({
    ...Agreements,
    description: "The legal texts to which the law of the shop's country lets buyers agree, if any",
  }),
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
    limits: [{ by: 'address', max: 600, seconds: 60 }],
    body: Type.Object({
      cart: Cart,
      ...Choices.properties,
      delivery: Type.Optional(DeliveryPlace),
    }),
    answer: Quote,
  }),
} satisfies Contract
