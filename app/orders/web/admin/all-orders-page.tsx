import { useState } from 'react'
import { Link } from 'react-router'
import { DAYS, type Filter, loadList } from '#app/back-office/kit/list-query.ts'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { type ListedOrder, orderAdminCalls } from '#app/orders/admin-contract.ts'
import { LIST_PAGE_SIZE } from '#app/shared/contract/fields.ts'
import { href } from '#app/shared/model/href.ts'
import { paymentFact } from '../payment-fact.ts'
import type { Route } from './+types/all-orders-page.ts'
import { PaymentFact, STATUSES, StatusDialog, StatusSelect } from './order-changes.tsx'
import { ShipDialog } from './ship-dialogs.tsx'

const VIEWS = {
  '': 'All',
  to_send: 'To send',
  unpaid: 'Unpaid',
  needs_attention: 'Needs attention',
}

const FILTERS: Filter[] = [
  { name: 'view', kind: 'tabs', options: VIEWS },
  { name: 'status', label: 'Status', options: STATUSES },
  { name: 'customer', label: 'Customer', kind: 'id' },
  ...DAYS,
]

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadList(args, orderAdminCalls.getAllOrders, FILTERS)

const pathOf = ({ _id: orderId }: ListedOrder) =>
  href('/dashboard/admin/orders/:orderId', { orderId })

/** All orders, newest first, each with a status select (spec §2, §4). */
export default function AllOrdersPage({ loaderData }: Route.ComponentProps) {
  const { found, query } = loaderData
  // of all pages that were shown, so that those selected on another one can be named
  const [known] = useState(() => new Map<string, ListedOrder>())
  for (const order of found?.items ?? []) known.set(order._id, order)
  return (
    <TablePage
      {...loaderData}
      title="All Orders"
      what="order"
      columns={columnsOf(found?.items ?? [], query.page)}
      nameOf={({ number }) => `order ${number}`}
      open={pathOf}
      searchLabel="Order number, buyer, e-mail or payment id"
      bulk={[
        {
          label: 'Mark as shipped',
          // all of a list only without tracking numbers
          dialog: (selection) =>
            selection.filter ? (
              <StatusDialog selection={selection} initial="Shipped" />
            ) : (
              <ShipDialog orders={selection.ids.flatMap((id) => known.get(id) ?? [])} />
            ),
        },
        { label: 'Set status', dialog: (selection) => <StatusDialog selection={selection} /> },
      ]}
      empty="No orders found."
      tools={
        <Link to={href('/dashboard/admin/create-order')} className="btn btn-primary">
          Create order
        </Link>
      }
    />
  )
}

const TO_SEND = <span className="badge badge-sm badge-warning whitespace-nowrap">To send</span>

/** The columns; the place is that in all pages. */
const columnsOf = (items: ListedOrder[], page = 1): Column<ListedOrder>[] => [
  {
    header: '#',
    cell: (order) => (page - 1) * LIST_PAGE_SIZE + 1 + items.indexOf(order),
    phone: 'none',
  },
  {
    header: 'Order',
    sort: 'number',
    cell: (order) => (
      <>
        <Link
          to={pathOf(order)}
          aria-label={`Order ${order.number}`}
          className="link link-hover font-medium"
        >
          {order.number}
        </Link>
        <span className="wrap-anywhere ms-2 font-normal md:hidden">
          {order.buyer.name} {order.toSend && TO_SEND}
        </span>
      </>
    ),
    csv: ({ number }) => number,
    phone: 'title',
  },
  { header: 'Date', sort: 'date', at: ({ createAt }) => createAt },
  { header: 'Customer', sort: 'customer', csv: ({ buyer }) => buyer.name, phone: 'none' },
  {
    header: 'Total',
    sort: 'total',
    money: ({ total, currency }) => [total, currency],
    phone: 'end',
  },
  { header: 'Payment', cell: (order) => <PaymentFact order={order} />, csv: paymentFact },
  {
    header: 'To send',
    cell: ({ toSend }) => toSend && TO_SEND,
    csv: ({ toSend }) => (toSend ? 'yes' : 'no'),
    // a phone has it beside the name
    phone: 'none',
  },
  { header: 'Items', align: 'end', csv: ({ products }) => products.length, phone: 'none' },
  {
    header: 'Status',
    cell: (order) => <StatusSelect order={order} />,
    csv: ({ status }) => status,
  },
]
