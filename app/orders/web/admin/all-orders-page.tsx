import { ListPage } from '#app/back-office/list-page.tsx'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { ORDERS_PAGE_SIZE } from '#app/orders/contract.ts'
import { RefundButton } from '#app/payments/web/admin/refund-button.tsx'
import { callContext, loadOrLog } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { OrderCard } from '../order-card.tsx'
import type { Route } from './+types/all-orders-page.ts'
import { filterOf, OrderSearch } from './order-search.tsx'
import { StatusSelect } from './status-select.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const filter = filterOf(searchParams)
  const query = { page: pageOf(searchParams), ...filter }
  const found = await loadOrLog(
    context.get(callContext).counted(orderAdminCalls.getAllOrders, { query }),
  )
  return { found, filter }
}

/** All orders, newest first, each with a status select (spec §2, §4). */
export default function AllOrdersPage({ loaderData: { found, filter } }: Route.ComponentProps) {
  return (
    <ListPage
      title="All Orders"
      what="order"
      isSearch={filter.q !== undefined}
      found={found}
      pageSize={ORDERS_PAGE_SIZE}
      className="space-y-6"
      entry={(order, place) => (
        <OrderCard
          order={order}
          index={place}
          status={<StatusSelect order={order} />}
          withIds
          actions={<RefundButton order={order} />}
        />
      )}
      empty="No orders found."
      pastEnd="No orders found."
      above={() => <OrderSearch filter={filter} />}
    />
  )
}
