/** Payments: money for a cart, taken by a provider, priced and judged by the server. */
import { type Static, Type } from 'typebox'
import { Agreements, Cart, Choices } from '../checkout/contract.ts'
import { Order, PAYMENT_METHODS } from '../orders/contract.ts'
import { SETTINGS_TAG, TextNodes } from '../settings/contract.ts'
import { type Contract, cachedEndpoint, endpoint } from '../shared/contract/endpoint.ts'
import { Text } from '../shared/contract/fields.ts'
import { BillingAddress, DeliveryAddress } from '../shipping/contract.ts'

/** The message of an invalid amount (spec §5). */
export const AMOUNT_INVALID = 'Cart is empty or amount is invalid.'
/** The message of a payment that is refused (spec §8). */
export const PAYMENT_FAILED = 'Payment verification failed'

/** The message of every refused payment while payments are not set up. */
export const CANNOT_TAKE_PAYMENTS = 'This shop cannot take payments yet.'

/** Payments take real money, are tests, or cannot be made. */
export type PaymentMode = 'live' | 'test' | 'none'

/** As long as a body may be: a value that is too long is a failed payment, like a wrong one. */
const Claim = Text({ maxLength: 1_000_000 })

/** The proof of a payment that the provider's dialog returns; field names are the specification's (spec §4). */
export const PaymentProof = Type.Object({
  razorpay_order_id: Claim,
  razorpay_payment_id: Claim,
  razorpay_signature: Claim,
})
export type PaymentProof = Static<typeof PaymentProof>

const Accepted = Type.Object({ success: Type.Literal(true) })

export const paymentCalls = {
  startPayment: endpoint({
    method: 'POST',
    path: '/product/razorpay/order',
    access: 'user',
    cost: 'payment',
    owner: 'caller',
    summary: 'Starts a payment; with a cart the server prices it and refuses another amount',
    limits: [
      { by: 'address', max: 120, seconds: 60 },
      { by: 'address', max: 300, seconds: 86_400 },
      { by: 'account', max: 30, seconds: 60 },
      { by: 'account', max: 40, seconds: 3600 },
      { by: 'account', max: 60, seconds: 86_400 },
    ],
    body: Type.Object({
      amount: Type.Number({ description: 'Minor units' }),
      cart: Type.Optional(Cart),
      ...Choices.properties,
      delivery: Type.Optional(DeliveryAddress),
      billing: Type.Optional(BillingAddress),
      shownAddress: Type.Optional(
        Text({
          maxLength: 1000,
          description:
            'The address of the profile as the buyer saw it; refused when it is another one now',
        }),
      ),
      agreements: Type.Optional({
        ...Agreements,
        description: 'Stored with the payment; another version than the present one is refused',
      }),
    }),
    answer: Type.Object({
      id: Type.String({ description: "The provider's order id" }),
      amount: Type.Integer({ description: 'Minor units' }),
      currency: Type.String(),
      key: Type.String({ description: "The provider's public key" }),
      checkout: Type.String({ description: "The script that defines the provider's dialog" }),
      order: Type.Optional({
        ...Order,
        description:
          'Of a cart that costs nothing, or is paid without a provider: no payment follows here',
      }),
    }),
  }),
  verifyPayment: endpoint({
    method: 'POST',
    path: '/product/razorpay/verify',
    access: 'user',
    owner: 'caller',
    summary: 'Turns a payment into its one order',
    limits: [{ by: 'account', max: 60, seconds: 60 }],
    body: Type.Object({ ...PaymentProof.properties, cart: Type.Optional(Cart) }),
    answer: Type.Object({ success: Type.Literal(true), message: Type.String(), order: Order }),
  }),
  cancelPayment: endpoint({
    method: 'POST',
    path: '/product/razorpay/cancel',
    access: 'user',
    owner: 'caller',
    summary:
      'Cancels a started payment: releases its stock; a later capture is refunded; idempotent',
    limits: [{ by: 'account', max: 60, seconds: 60 }],
    body: Type.Object({
      razorpay_order_id: Claim,
      releaseOnly: Type.Optional(
        Type.Boolean({ description: 'Releases the stock only: the payment may still be captured' }),
      ),
    }),
    answer: Accepted,
  }),
  getInstructions: cachedEndpoint(() => [SETTINGS_TAG], {
    method: 'GET',
    path: '/payment/instructions/:method',
    access: 'public',
    summary: 'How to pay without a provider, as a tree of elements',
    params: Type.Object({ method: Type.Enum([...PAYMENT_METHODS]) }),
    answer: Type.Object({ nodes: TextNodes }),
  }),
  handleWebhook: endpoint({
    method: 'POST',
    path: '/payment/webhook/:provider',
    access: 'public',
    summary: "A provider's webhook: signed events, in any order and any number of times",
    params: Type.Object({ provider: Text({ maxLength: 50, description: 'Its name' }) }),
    raw: true,
    answer: Accepted,
  }),
} satisfies Contract
