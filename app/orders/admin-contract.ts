/** The back office's calls for orders: list, status, export, and sales figures. */
import { type Static, Type } from 'typebox'
import type { AdminMenu } from '../shared/contract/admin-menu.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Day,
  GivenDay,
  Id,
  Nullable,
  Page,
  Price,
  SearchText,
  Streamed,
} from '../shared/contract/fields.ts'
import {
  CreditNote,
  CreditNoteParams,
  Invoice,
  InvoiceParams,
  ORDER_STATUSES,
  Order,
} from './contract.ts'

/** Filters of the admin's list; both days are inclusive. */
export const OrderFilter = Type.Object({
  page: Type.Optional(Page),
  status: Type.Optional(Type.Enum([...ORDER_STATUSES])),
  q: SearchText(
    "The number, with or without #; part of the buyer's name or e-mail; beginning of the order id; payment id. Finds the newest thousand",
  ),
  from: Type.Optional(GivenDay),
  to: Type.Optional(GivenDay),
})
export type OrderFilter = Static<typeof OrderFilter>

/** An order without its lines and its delivery. */
const OrderHead = Type.Omit(Order, ['products', 'delivery'])
export type OrderHead = Static<typeof OrderHead>

const DaySales = Type.Object({
  day: Day,
  orders: Type.Integer({ description: 'Placed on this day; an unpaid one once money came in' }),
  revenue: { ...Price, description: 'Received for these orders, less refunds' },
})

/**
 * Sales figures, less refunds, of orders in the currency in which the shop charges now. Lost disputes count as
 * refunds. Of an order that is not paid in full, the part of its total counts that was received. A cancelled, a wholly refunded and a test order do not count; when the status of a cancelled one
 * changes again, it counts for the day it was placed. Days are days in the shop's time zone. In a large shop,
 * sales and stock are up to a minute old.
 */
export const Figures = Type.Object({
  currency: Type.String({ description: 'Of the orders that count, ISO 4217' }),
  days: Type.Array(DaySales, { description: 'The last thirty days, today last' }),
  bestSellers: Type.Array(
    Type.Object({
      _id: Id,
      name: Type.String(),
      slug: Nullable(Type.String({ description: 'null when the product is gone' })),
      pieces: Type.Integer(),
      revenue: { ...Price, description: 'After discounts and refunds, in major units' },
    }),
    {
      description:
        'The five that sold most pieces in the last thirty days, without wholly refunded orders',
    },
  ),
  taxes: Type.Array(
    Type.Object({
      label: Type.String({ description: 'Name and rate' }),
      basis: { ...Price, description: 'The amount without tax, in major units' },
      amount: Price,
    }),
    { description: 'The tax of the last thirty days by rate, less that of refunds' },
  ),
  owed: Type.Object(
    { amount: { ...Price, description: 'What is still owed of them' }, orders: Type.Integer() },
    { description: 'Orders of any time that are not paid in full, without cancelled ones' },
  ),
  runningLow: Type.Array(
    Type.Object({ _id: Id, name: Type.String(), slug: Type.String(), quantity: Type.Integer() }),
  ),
  latestOrders: Type.Array(OrderHead),
  paymentsInNeed: Type.Integer({ description: 'Payments that need attention' }),
})
export type Figures = Static<typeof Figures>

export const orderAdminCalls = {
  getAllOrders: endpoint({
    method: 'GET',
    path: '/auth/all-orders',
    access: 'admin',
    summary: 'A page of fifty orders, newest first; the total is in X-Total-Count',
    query: OrderFilter,
    answer: Type.Array(Order),
  }),
  setOrderStatus: endpoint({
    method: 'PUT',
    path: '/auth/order-status/:orderId',
    access: 'admin',
    summary: 'Says how far an order has come; any status may follow any other',
    params: Type.Object({ orderId: Id }),
    body: Type.Object({ status: Type.Enum([...ORDER_STATUSES]) }),
    answer: Order,
  }),
  getOrderInvoice: endpoint({
    method: 'GET',
    path: '/order/invoice/:orderId',
    access: 'admin',
    summary: 'The invoice of an order',
    params: InvoiceParams,
    answer: Invoice,
  }),
  getOrderCreditNote: endpoint({
    method: 'GET',
    path: '/order/credit-note/:number',
    access: 'admin',
    summary: 'The credit note of a refund of an order',
    params: CreditNoteParams,
    answer: CreditNote,
  }),
  getFigures: endpoint({
    method: 'GET',
    path: '/order/figures',
    access: 'admin',
    summary: "The day's business at a glance",
    answer: Figures,
  }),
  exportOrders: endpoint({
    method: 'GET',
    path: '/order/export',
    access: 'admin',
    summary:
      'All orders as CSV, oldest first. Each row is a product, discount, shipping, fee, tax or refund of an order',
    answer: Streamed,
  }),
} satisfies Contract

export const adminMenu: AdminMenu = [
  { path: '/dashboard/admin/orders', label: 'Orders', position: 40 },
]
