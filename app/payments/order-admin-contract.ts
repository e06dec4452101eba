/** The back office's calls for the money of one order: what can be refunded, cancelling, and orders made by hand. */
import { type Static, Type } from 'typebox'
import { Email } from '../accounts/contract.ts'
import { Cart, Choices, Quote } from '../checkout/contract.ts'
import { Order } from '../orders/contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, FilledName, Id, Nullable, stripped, Text } from '../shared/contract/fields.ts'
import { BillingAddress, DeliveryAddress } from '../shipping/contract.ts'
import { REFUND_KINDS } from './model.ts'

const Minor = Type.Integer({ description: 'Minor units' })

/** How money came in that an admin enters. */
export const RECEIVED_AS = ['cash', 'card_terminal', 'transfer'] as const
export type ReceivedAs = (typeof RECEIVED_AS)[number]

export const Refundable = Type.Object({
  currency: Type.String(),
  totalMinor: { ...Minor, description: 'Of the order, in minor units' },
  leftMinor: { ...Minor, description: 'What was paid and neither refunded nor lost in a dispute' },
  isTaxAdded: Type.Boolean({ description: 'Whether tax is added to the prices' }),
  isByHand: Type.Boolean({ description: 'No provider sends the money back: the merchant does' }),
  isUnpaid: Type.Boolean({
    description: 'It is not paid in full: cancelled before it is refunded',
  }),
  refusal: Nullable(
    Type.String({ description: 'Why nothing can be refunded now; null when it can' }),
  ),
  parts: Type.Array(
    Type.Object({
      kind: Type.Enum([...REFUND_KINDS]),
      position: Type.Integer({ description: 'Names the part together with its kind' }),
      name: Type.String(),
      quantity: Type.Integer({ description: 'Sold; 1 of shipping and of a fee' }),
      refunded: Type.Integer({ description: 'How many are refunded, or to be refunded, already' }),
      returned: Type.Integer({ description: 'How many were returned to the stock' }),
      priceMinor: { ...Minor, description: 'Of one' },
      discountMinor: { ...Minor, description: 'Its share of the discounts' },
      taxMinor: { ...Minor, description: 'Contained in the price, or added to it' },
    }),
  ),
})
export type Refundable = Static<typeof Refundable>

/** A quantity of a line, or of shipping or a fee. */
export const RefundLine = Type.Object({
  kind: Type.Enum([...REFUND_KINDS]),
  position: Type.Integer({ minimum: 0, maximum: 32_767 }),
  quantity: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
})

/** Of a request that may be repeated. */
export const RequestKey = { ...Id, description: 'Of the request: a repeated one does it once' }

/** Of a call that may tell the customer. */
export const Mailed = Type.Optional(
  Type.Boolean({ description: 'Whether the customer is told by e-mail; true by default' }),
)

/** What an order made by hand is of, and for whom. */
export const ManualCart = Type.Object({
  buyerId: Type.Optional({ ...Id, description: 'The customer; absent for a new one' }),
  cart: Cart,
  ...Choices.properties,
  delivery: Type.Optional(DeliveryAddress),
  isHandedOver: Type.Optional(
    Type.Boolean({ description: 'The customer takes it along: without shipping, and delivered' }),
  ),
})

export const orderMoneyCalls = {
  getRefundable: endpoint({
    method: 'GET',
    path: '/payment/refundable/:orderId',
    access: 'admin',
    summary: 'What can be refunded of an order, by lines',
    params: Type.Object({ orderId: Id }),
    answer: Refundable,
  }),
  cancelOrder: endpoint({
    method: 'POST',
    path: '/payment/cancel-order/:orderId',
    access: 'admin',
    summary:
      'Cancels an order, returns its stock and refunds what was received, as chosen; idempotent',
    params: Type.Object({ orderId: Id }),
    body: Type.Object({
      returnStock: Type.Boolean({
        description:
          'Whether its pieces are for sale again, as those of an unpaid order always are',
      }),
      refund: Type.Boolean({ description: 'Whether all that is left is refunded' }),
      reason: Type.Optional(Text({ maxLength: 500, description: 'Of the refund' })),
      key: Type.Optional(RequestKey),
      mails: Mailed,
    }),
    answer: Done,
  }),
  quoteOrder: endpoint({
    method: 'POST',
    path: '/payment/quote-order',
    access: 'admin',
    summary: 'What an order made by hand would cost its customer; reserves nothing',
    body: ManualCart,
    answer: Quote,
  }),
  createOrder: endpoint({
    method: 'POST',
    path: '/payment/create-order',
    access: 'admin',
    summary: 'Places an order for a customer, paid or unpaid; idempotent',
    body: Type.Object({
      ...ManualCart.properties,
      billing: Type.Optional(BillingAddress),
      key: RequestKey,
      buyer: Type.Optional(
        Type.Object(
          {
            name: FilledName(200),
            email: Type.Optional(Email),
            phone: Type.Optional(stripped('code', Text({ maxLength: 50 }))),
            address: Type.Optional(stripped('name', Text({ maxLength: 500 }))),
          },
          { description: 'A new customer, who gets an account without a password' },
        ),
      ),
      amount: { ...Minor, description: 'The total of the quote, in minor units' },
      receivedAs: Type.Optional(
        Type.Enum([...RECEIVED_AS], {
          description: 'How it was paid; absent for an order to be paid by paymentMethod',
        }),
      ),
      mails: Mailed,
    }),
    answer: Type.Object({ ...Done.properties, order: Order }),
  }),
} satisfies Contract
