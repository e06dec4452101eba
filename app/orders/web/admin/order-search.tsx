import { DayFilters, FilterForm, FilterSelect } from '#app/back-office/filters.tsx'
import type { OrderFilter } from '#app/orders/admin-contract.ts'
import { ORDER_STATUSES } from '#app/orders/contract.ts'

type Filter = Omit<OrderFilter, 'page'>

/** The filter in a query string; an unknown status is ignored. */
export function filterOf(search: URLSearchParams): Filter {
  const given = (name: string) => search.get(name) || undefined
  const status = ORDER_STATUSES.find((one) => one === given('status'))
  return { q: given('q'), status, from: given('from'), to: given('to') }
}

/** The filter form. */
export const OrderSearch = ({ filter: { q, status, from, to } }: { filter: Filter }) => (
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
