/** The back office's calls for orders: list, status, export, and sales figures. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Day,
  GivenDay,
  Id,
  Nullable,
  Page,
  Price,
  SearchText,
  SelectionOf,
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

/**
 * Parts of the list. `to_send`: nothing of it was sent or returned, and it is paid, or paid on delivery; `unpaid`:
 * not paid in full; `needs_attention`: its payment needs a person.
 */
export const ORDER_VIEWS = ['to_send', 'unpaid', 'needs_attention'] as const
export type OrderView = (typeof ORDER_VIEWS)[number]

/** The columns by which the list is sorted; with `-` the largest first. */
export const SORT_COLUMNS = ['number', 'date', 'customer', 'total'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]
export const ORDER_SORTS = SORT_COLUMNS.flatMap((column) => [column, `-${column}`] as const)
export type OrderSort = (typeof ORDER_SORTS)[number]

const CONDITIONS = {
  view: Type.Optional(Type.Enum([...ORDER_VIEWS])),
  status: Type.Optional(Type.Enum([...ORDER_STATUSES])),
  customer: Type.Optional({ ...Id, description: 'The account that bought' }),
  q: SearchText(
    "The number, with or without #; part of the buyer's name or e-mail; beginning of the order id; payment id. Finds the newest thousand",
  ),
  from: Type.Optional(GivenDay),
  to: Type.Optional(GivenDay),
}

/** Filters of the admin's list; both days are inclusive. */
export const OrderFilter = Type.Object({
  page: Type.Optional(Page),
  sort: Type.Optional(Type.Enum([...ORDER_SORTS])),
  ...CONDITIONS,
})
export type OrderFilter = Static<typeof OrderFilter>

/** The most orders that one call changes. */
export const MAX_CHANGED = 1000

/** Orders by their ids, or all that match a filter. */
export const OrderSelection = SelectionOf(Type.Object(CONDITIONS), MAX_CHANGED)
export type OrderSelection = Static<typeof OrderSelection>

/** An order of the back office's list. */
export const ListedOrder = Type.Object({
  ...Order.properties,
  toSend: Type.Boolean({ description: 'Whether it is to be sent now' }),
  mails: Type.Array(Type.Enum([...ORDER_STATUSES]), {
    description: 'The statuses of which its customer is notified when they are set',
  }),
})
export type ListedOrder = Static<typeof ListedOrder>

/** Whether a new status is mailed to the customer. */
export const Notify = Type.Optional(
  Type.Boolean({
    default: true,
    description:
      'Whether a new status is mailed to the customer, ten seconds later. Setting a status within these takes the waiting e-mail away',
  }),
)

/** An order without its lines and its addresses. */
const OrderHead = Type.Omit(Order, ['products', 'delivery', 'billing'])
export type OrderHead = Static<typeof OrderHead>

const DaySales = Type.Object({
  day: { ...Day, description: 'The first one, where the period has weeks or months' },
  orders: Type.Integer({ description: 'Placed on this day; an unpaid one once money came in' }),
  revenue: { ...Price, description: 'Received for these orders, less refunds' },
})

/** Periods in the shop's time zone: the last week, from Monday to Sunday, and the last month are over, others end today. */
export const PERIODS = [
  'today',
  '7_days',
  '30_days',
  '90_days',
  'month',
  'year',
  'last_week',
  'last_month',
] as const
export type PeriodName = (typeof PERIODS)[number]

/** The days that the figures are of, both inclusive; without them those of a period. */
export const FiguresQuery = Type.Object({
  period: Type.Optional(Type.Enum([...PERIODS], { default: '30_days' })),
  from: Type.Optional(GivenDay),
  to: Type.Optional(GivenDay),
})
export type FiguresQuery = Static<typeof FiguresQuery>

const Totals = Type.Object({
  orders: Type.Integer(),
  revenue: { ...Price, description: 'Received for these orders, less refunds' },
  returning: Type.Integer({ description: 'Orders of customers who had ordered before' }),
})

/**
 * Sales figures, less refunds, of orders in the currency in which the shop charges now. Lost disputes count as
 * refunds. Of an order that is not paid in full, the part of its total counts that was received. A cancelled, a wholly refunded and a test order do not count; when the status of a cancelled one
 * changes again, it counts for the day it was placed. Days are days in the shop's time zone. In a large shop,
 * sales and stock are up to a minute old.
 */
export const Figures = Type.Object({
  currency: Type.String({ description: 'Of the orders that count, ISO 4217' }),
  period: Type.Object({
    from: Day,
    to: Day,
    unit: Type.Enum(['day', 'week', 'month'], {
      description: 'What `days` has: weeks above 92 days, months above two years',
    }),
  }),
  days: Type.Array(DaySales, { description: 'The days of the period, the last one last' }),
  totals: Totals,
  before: Type.Object(Totals.properties, {
    description:
      'Of as many days before the period; of one that is not over, until the same time of day',
  }),
  bestSellers: Type.Array(
    Type.Object({
      _id: Id,
      name: Type.String(),
      slug: Nullable(Type.String({ description: 'null when the product is gone' })),
      pieces: Type.Integer(),
      revenue: { ...Price, description: 'After discounts and refunds, in major units' },
    }),
    {
      description: 'The five that sold most pieces in the period, without wholly refunded orders',
    },
  ),
  taxes: Type.Array(
    Type.Object({
      label: Type.String({ description: 'Name and rate' }),
      basis: { ...Price, description: 'The amount without tax, in major units' },
      amount: Price,
    }),
    { description: 'The tax of the period by rate, less that of refunds' },
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
    summary: 'A page of fifty orders, newest first or sorted; the total is in X-Total-Count',
    query: OrderFilter,
    answer: Type.Array(ListedOrder),
  }),
  setOrderStatus: endpoint({
    method: 'PUT',
    path: '/auth/order-status/:orderId',
    access: 'admin',
    summary: 'Says how far an order has come; any status may follow any other',
    params: Type.Object({ orderId: Id }),
    body: Type.Object({ status: Type.Enum([...ORDER_STATUSES]), notify: Notify }),
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
    summary: "The day's business at a glance, of the last thirty days or of at most ten years",
    query: FiguresQuery,
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
