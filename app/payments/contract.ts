/** Payments: money for a cart, taken by a provider, priced and judged by the server. */
import { type Static, Type } from 'typebox'
import { Order } from '../orders/contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Id, Text } from '../shared/contract/fields.ts'

/** The cart is posted as whole products; only their ids count. A product bought twice stands twice. */
const Cart = Type.Array(Type.Object({ _id: Id }), { maxItems: 10_000 })

/** What the provider's dialog hands back; the names are Razorpay's. */
export const PaymentProof = Type.Object({
  razorpay_order_id: Text({ maxLength: 200 }),
  razorpay_payment_id: Text({ maxLength: 200 }),
  razorpay_signature: Text({ maxLength: 10_000 }),
})
export type PaymentProof = Static<typeof PaymentProof>

export const paymentCalls = {
  startPayment: endpoint({
    method: 'POST',
    path: '/product/razorpay/order',
    access: 'user',
    owner: 'caller',
    summary: 'Starts a payment; with a cart the server prices it and refuses another amount',
    body: Type.Object({
      amount: Type.Number({ description: 'Minor units' }),
      cart: Type.Optional(Cart),
    }),
    answer: Type.Object({
      id: Type.String({ description: "The provider's order id" }),
      amount: Type.Integer({ description: 'Minor units' }),
      currency: Type.String(),
      key: Type.String({ description: "The provider's public key" }),
      checkout: Type.String({ description: "The script that defines the provider's dialog" }),
    }),
  }),
  verifyPayment: endpoint({
    method: 'POST',
    path: '/product/razorpay/verify',
    access: 'user',
    owner: 'caller',
    summary: 'Turns a payment into its one order',
    body: Type.Object({
      razorpay_order_id: PaymentProof.properties.razorpay_order_id,
      razorpay_payment_id: PaymentProof.properties.razorpay_payment_id,
      razorpay_signature: PaymentProof.properties.razorpay_signature,
      cart: Type.Optional(Cart),
    }),
    answer: Type.Object({ success: Type.Literal(true), message: Type.String(), order: Order }),
  }),
} satisfies Contract

/** What the sandbox adds where no provider's keys are set: its dialog's own call. */
export const sandboxCalls = {
  payInSandbox: endpoint({
    method: 'POST',
    path: '/payment/sandbox/pay',
    access: 'public',
    summary: 'Plays the provider: signs a payment of a started sandbox order',
    body: Type.Object({ razorpay_order_id: Text({ maxLength: 200 }) }),
    answer: PaymentProof,
  }),
} satisfies Contract
