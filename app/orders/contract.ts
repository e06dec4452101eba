/** Orders: lines, buyer and prices as they were sold, the delivery status, and the invoice. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Day, Id, Nullable, PageQuery, Price, Timestamp } from '../shared/contract/fields.ts'
import { SavedAddress } from '../shipping/contract.ts'

/** Spelled as in spec §4; an order starts with the first. */
export const ORDER_STATUSES = [
  'Not Process',
  'Processing',
  'Shipped',
  'deliverd',
  'cancel',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Characters of a product's description stored in an order. */
export const MAX_DESCRIPTION = 200

/** The kinds of adjustments of a total, in the order in which they are shown. */
export const ADJUSTMENT_KINDS = ['discount', 'shipping', 'fee', 'tax'] as const

/** The ways to pay without a provider: the order is placed unpaid, and an admin enters the money. */
export const PAYMENT_METHODS = ['pay_on_delivery', 'bank_transfer'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The variant of a sold product with options, and the SKU of one that has any. */
export const SoldVariant = {
  product: Type.Optional({ ...Id, description: 'The product of the variant' }),
  variant: Type.Optional(Id),
  sku: Type.Optional(Type.String()),
  options: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'Such as Red of Colour; the name has them, too',
    }),
  ),
}

export const SoldProduct = Type.Object({
  _id: { ...Id, description: 'As it was in the cart: of a product, or of a variant' },
  name: Type.String(),
  slug: Type.String(),
  description: Type.String({
    description: `The first ${MAX_DESCRIPTION} characters; fewer in an answer of many pieces`,
  }),
  price: Price,
  ...SoldVariant,
})

/** The buyer and the delivery address at the time of payment. */
export const Delivery = Type.Object({
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  isChanged: Type.Boolean({
    description: "Whether the buyer's profile differs today",
  }),
  /** The address in parts, where the buyer gave it so. */
  parts: Type.Optional(SavedAddress),
})
export type Delivery = Static<typeof Delivery>

/** The billing address of a purchase that had one. */
export const Billing = Type.Object({
  name: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  parts: SavedAddress,
})
export type Billing = Static<typeof Billing>

const CAPTURES = ['pending', 'missing'] as const

export const OrderNumber = Type.Integer({
  description: 'By which the order is called; numbers may be missing',
})

export const Order = Type.Object({
  _id: Id,
  number: OrderNumber,
  status: Type.Enum([...ORDER_STATUSES]),
  buyer: Type.Object({ _id: Id, name: Type.String() }),
  createAt: Timestamp,
  payment: Type.Object({ razorpay_payment_id: Type.String(), razorpay_order_id: Type.String() }),
  products: Type.Array(SoldProduct, { description: 'One entry a piece, as bought' }),
  total: Price,
  currency: Type.String({ description: 'In which it was charged, ISO 4217' }),
  /** The sum of the products; only with adjustments. */
  subtotal: Type.Optional(Price),
  /** The parts of the total beside the products, if any. */
  adjustments: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Type.Enum([...ADJUSTMENT_KINDS]),
        label: Type.String(),
        /** Major units; negative for a discount. */
        amount: Type.Number(),
        /** Tax that the prices contain. */
        included: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
  delivery: Delivery,
  billing: Type.Optional({
    ...Billing,
    description:
      'Who pays, where the purchase said it; otherwise the account, at its own address where somebody else receives the parcel',
  }),
  test: Type.Optional(Type.Boolean({ description: 'The payment was a test: no money was taken' })),
  paymentMethod: Type.Optional(
    Type.Object(
      {
        method: Type.Enum([...PAYMENT_METHODS]),
        name: Type.String(),
        received: { ...Price, description: 'What came in of the total, refunds not subtracted' },
      },
      { description: 'Of an order that is paid without a provider' },
    ),
  ),
  unpaid: Type.Optional(
    Type.Object(
      {
        owed: { ...Price, description: 'What is still owed of the total' },
        dueDate: { ...Day, description: 'Until when it is to be paid' },
        isLate: Type.Boolean(),
      },
      { description: 'Of an order that is not paid in full yet' },
    ),
  ),
  capture: Type.Optional(
    Type.Enum([...CAPTURES], {
      description: 'The money was only authorised: it is not captured yet, or never was',
    }),
  ),
  refunded: Type.Optional({ ...Price, description: 'The refunded part of the total, if any' }),
  refunds: Type.Optional(
    Type.Array(
      Type.Object({
        date: { ...Day, description: "The day of the refund in the shop's time zone" },
        amount: Price,
        reason: Nullable(
          Type.String({ description: 'null for a refund that the shop did not make itself' }),
        ),
        creditNote: Nullable(
          Type.Integer({
            description:
              'The number of its credit note; null until it is issued, and where there is none',
          }),
        ),
        lines: Type.Optional(
          Type.Array(
            Type.Object({ name: Type.String(), quantity: Type.Integer(), amount: Price }),
            { description: 'What it is of, shipping and fee included; absent for an amount' },
          ),
        ),
      }),
      { description: 'What was refunded, the first refund first, if any' },
    ),
  ),
  /** A refund is on its way. */
  refundPending: Type.Optional(Type.Boolean()),
  /** The provider refuses a refund: it is tried again until an admin gives it up. */
  refundRefused: Type.Optional(Type.Boolean()),
  /** The reason that the shop gives for a refund. */
  refundReason: Type.Optional(Type.String()),
  /** Its pieces were returned to the stock. */
  stockReturned: Type.Optional(Type.Boolean()),
  shipment: Type.Optional(
    Type.Object(
      {
        carrier: Nullable(Type.String()),
        trackingNumber: Nullable(Type.String()),
        trackingUrl: Nullable(Type.String({ description: 'null for an unknown carrier' })),
      },
      { description: 'Once a carrier or a tracking number is entered' },
    ),
  ),
  customerNote: Type.Optional(Type.String({ description: "The merchant's note to the customer" })),
})
export type Order = Static<typeof Order>

const Rate = Nullable(Type.Number({ description: 'In percent; null when no rate applies' }))

export const InvoiceParams = Type.Object({ orderId: Id })

export const Invoice = Type.Object({
  number: Nullable(
    Type.Integer({
      description: 'From 1 without gaps; null for a test order, which has no number',
    }),
  ),
  date: { ...Day, description: "The day of issue in the shop's time zone" },
  orderNumber: OrderNumber,
  orderDate: { ...Day, description: 'The day of the order' },
  orderId: Id,
  paymentId: Type.String(),
  paidBy: Type.Optional(
    Type.String({ description: 'How it was paid without a provider, such as Cash' }),
  ),
  currency: Type.String({ description: 'In which it was charged, ISO 4217' }),
  test: Type.Boolean({ description: 'The payment was a test: no money was taken' }),
  seller: Type.Object(
    {
      name: Type.String(),
      address: Type.String(),
      taxNumber: Type.String(),
    },
    { description: 'As it was when the invoice was issued' },
  ),
  buyer: Type.Object({
    name: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    address: Type.String(),
  }),
  recipient: Type.Optional(
    Type.Object(
      { name: Type.String(), phone: Type.String(), address: Type.String() },
      { description: 'To whom it is delivered, where that is not who pays, or at another address' },
    ),
  ),
  lines: Type.Array(
    Type.Object({
      _id: { ...Id, description: 'As it was in the cart: of a product, or of a variant' },
      name: Type.String(),
      ...SoldVariant,
      quantity: Type.Integer(),
      price: { ...Price, description: 'Of one piece, in major units' },
      discount: { ...Price, description: 'Its share of the discounts, in major units' },
      taxRate: Rate,
      tax: { ...Price, description: 'Of the line after its discount, in major units' },
      amount: { ...Price, description: 'Pieces times price, less the discount' },
    }),
  ),
  subtotal: { ...Price, description: 'The sum of the lines before discounts' },
  adjustments: Type.Array(
    Type.Object({
      kind: Type.Enum([...ADJUSTMENT_KINDS]),
      label: Type.String(),
      amount: Type.Number({ description: 'Major units; negative for a discount' }),
      included: Type.Boolean({ description: 'Tax that the prices contain' }),
      taxRate: Rate,
      tax: { ...Price, description: 'The tax of shipping or of a fee, in major units' },
      basis: Nullable({
        ...Type.Number(),
        description: 'Of tax: the amount without tax, in major units',
      }),
    }),
  ),
  total: Price,
  refunded: Price,
})
export type Invoice = Static<typeof Invoice>

export const CreditNoteParams = Type.Object({
  number: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of the credit note',
  }),
})

export const CreditNote = Type.Object({
  ...Type.Omit(Invoice, ['number', 'date', 'paymentId', 'paidBy', 'refunded']).properties,
  number: Type.Integer({ description: 'From 1 without gaps' }),
  date: { ...Day, description: "The day of issue in the shop's time zone" },
  invoiceNumber: Type.Integer({ description: 'Of the invoice that it corrects' }),
  invoiceDate: { ...Day, description: 'The day on which that was issued' },
  refundDate: { ...Day, description: 'The day of the refund' },
  reason: Nullable(Type.String({ description: 'Of the refund, if one was given' })),
  lines: {
    ...Invoice.properties.lines,
    description: 'Those that were refunded, as sold; empty for an amount',
  },
  adjustments: {
    ...Invoice.properties.adjustments,
    description:
      'Those of the invoice when all of it was refunded; else discount, shipping and fee of the lines, their tax by rate, and the difference to the refunded amount',
  },
  total: { ...Price, description: 'What was refunded' },
})
export type CreditNote = Static<typeof CreditNote>

export const orderCalls = {
  getOrders: endpoint({
    method: 'GET',
    path: '/auth/orders',
    access: 'user',
    owner: 'caller',
    summary: 'A page of fifty own orders, newest first; the total is in X-Total-Count',
    limits: [{ by: 'account', max: 120, seconds: 60 }],
    query: PageQuery,
    answer: Type.Array(Order),
  }),
  getInvoice: endpoint({
    method: 'GET',
    path: '/auth/orders/:orderId/invoice',
    access: 'user',
    owner: 'caller',
    summary: 'The invoice of an own order',
    params: InvoiceParams,
    answer: Invoice,
  }),
  getCreditNote: endpoint({
    method: 'GET',
    path: '/auth/credit-notes/:number',
    access: 'user',
    owner: 'caller',
    summary: 'The credit note of a refund of an own order',
    params: CreditNoteParams,
    answer: CreditNote,
  }),
} satisfies Contract
