import { useLocation } from 'react-router'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { ORDERS_PAGE_SIZE } from '#app/orders/contract.ts'
import { RefundButton } from '#app/payments/web/admin/refund-button.tsx'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListTitle, Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrLog } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { OrderCard } from '../order-card.tsx'
import type { Route } from './+types/all-orders-page.ts'
import { filterOf, OrderSearch } from './order-search.tsx'
import { StatusSelect } from './status-select.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const filter = filterOf(searchParams)
  const query = { page, ...filter }
  const found = await loadOrLog(
    context.get(callContext).counted(orderAdminCalls.getAllOrders, { query }),
  )
  return { found, page, filter }
}

/** All orders, newest first, each with a status select (spec §2, §4). */
export default function AllOrdersPage({
  loaderData: { found, page, filter },
}: Route.ComponentProps) {
  const last = useLastLoaded(found, useLocation().search)
  const first = (page - 1) * ORDERS_PAGE_SIZE + 1
  return (
    <section className="space-y-6">
      <PageHead title="All Orders" hidden />
      <header>
        <ListTitle
          title="All Orders"
          counted={last && pluralize(last.total, 'order', filter.q !== undefined)}
        />
      </header>
      <OrderSearch filter={filter} />
      {!found && <NotLoaded />}
      {last && (
        <>
          {last.items.map((order, position) => (
            <OrderCard
              key={order._id}
              order={order}
              index={first + position}
              status={<StatusSelect order={order} />}
              withIds
              actions={<RefundButton order={order} />}
            />
          ))}
          {last.items.length === 0 && (
            <p className="surface px-6 py-16 text-center text-lg">No orders found.</p>
          )}
          <Pages page={page} total={last.total} pageSize={ORDERS_PAGE_SIZE} />
        </>
      )}
    </section>
  )
}
