import { useState } from 'react'
import { Link } from 'react-router'
import { DAYS, type Filter, loadList } from '#app/back-office/kit/list-query.ts'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { type ListedOrder, orderAdminCalls } from '#app/orders/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { OrderLines } from '../order-lines.tsx'
import type { Route } from './+types/all-orders-page.ts'
import { STATUSES, StatusDialog } from './order-changes.tsx'
import { columnsOf, pathOf, useOpenRows } from './order-columns.tsx'
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

/** All orders, newest first, each with its products and a status select (spec §2, §4). */
export default function AllOrdersPage({ loaderData }: Route.ComponentProps) {
  const { found, query } = loaderData
  const { isOpen, toggle, allSwitch } = useOpenRows()
  // of all pages that were shown, so that those selected on another one can be named
  const [known] = useState(() => new Map<string, ListedOrder>())
  for (const order of found?.items ?? []) known.set(order._id, order)
  return (
    <TablePage
      {...loaderData}
      title="All Orders"
      what="order"
      columns={columnsOf({ items: found?.items ?? [], page: query.page, isOpen, toggle })}
      detail={(order) => isOpen(order) && <OrderLines order={order} />}
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
        <>
          {allSwitch}
          <Link to={href('/dashboard/admin/create-order')} className="btn btn-primary">
            Create order
          </Link>
        </>
      }
    />
  )
}
