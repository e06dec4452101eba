import { DayFilters, FilterForm, FilterSelect } from '#app/back-office/filters.tsx'
import { ListPage } from '#app/back-office/list-page.tsx'
import { type OrderFilter, orderAdminCalls } from '#app/orders/admin-contract.ts'
import { ORDER_STATUSES } from '#app/orders/contract.ts'
import { ReceiveButton } from '#app/payments/web/admin/receive-button.tsx'
import { RefundButton } from '#app/payments/web/admin/refund-button.tsx'
import { callContext, loadOrLog } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { OrderCard } from '../order-card.tsx'
import type { Route } from './+types/all-orders-page.ts'
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
      className="space-y-6"
      entry={(order, place) => (
        <OrderCard
          order={order}
          index={place}
          status={<StatusSelect order={order} />}
          withIds
          actions={
            <>
              <ReceiveButton order={order} />
              <RefundButton order={order} />
            </>
          }
        />
      )}
      empty="No orders found."
      pastEnd="No orders found."
      above={() => <OrderSearch filter={filter} />}
    />
  )
}

type Filter = Omit<OrderFilter, 'page'>

/** The filter in a query string; an unknown status is ignored. */
function filterOf(search: URLSearchParams): Filter {
  const given = (name: string) => search.get(name) || undefined
  const status = ORDER_STATUSES.find((one) => one === given('status'))
  return { q: given('q'), status, from: given('from'), to: given('to') }
}

/** The filter form. */
const OrderSearch = ({ filter: { q, status, from, to } }: { filter: Filter }) => (
  <FilterForm isFiltered={Boolean(q || status || from || to)}>
    <input
      key={`q ${q}`}
      type="search"
      name="q"
      defaultValue={q}
      maxLength={200}
      placeholder="Order number, buyer, e-mail or payment id"
      aria-label="Order number, buyer, e-mail or payment id"
      className="input col-span-2 w-full sm:w-auto sm:min-w-60 sm:flex-1"
    />
    <FilterSelect name="status" label="Status" value={status} className="sm:w-36">
      <option value="">Any</option>
      {ORDER_STATUSES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </FilterSelect>
    <DayFilters from={from} to={to} />
  </FilterForm>
)
