/** The invoice of an order, for its buyer. The back office's call is in `admin-contract.ts`. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Day, Id, Nullable, Price } from '../shared/contract/fields.ts'
import { ADJUSTMENT_KINDS, OrderNumber } from './contract.ts'

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
  lines: Type.Array(
    Type.Object({
      _id: { ...Id, description: 'The product' },
      name: Type.String(),
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
      tax: { ...Price, description: 'The tax of shipping, in major units' },
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

export const invoiceCalls = {
  getInvoice: endpoint({
    method: 'GET',
    path: '/auth/orders/:orderId/invoice',
    access: 'user',
    owner: 'caller',
    summary: 'The invoice of an own order',
    params: InvoiceParams,
    answer: Invoice,
  }),
} satisfies Contract
