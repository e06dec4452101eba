import type { SubmitEvent } from 'react'
import { Link, useNavigate, useNavigation } from 'react-router'
import type { OrderFilter } from '#app/orders/admin-contract.ts'
import { ORDER_STATUSES } from '#app/orders/contract.ts'
import { DayInput } from '#app/shared/web/form/day-input.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'

type Filter = Omit<OrderFilter, 'page'>

const FIELDS = ['q', 'status', 'from', 'to'] as const

/** The filter in a query string; an unknown status is ignored. */
export function filterOf(search: URLSearchParams): Filter {
  const given = (name: string) => search.get(name) || undefined
  const status = ORDER_STATUSES.find((one) => one === given('status'))
  return { q: given('q'), status, from: given('from'), to: given('to') }
}

/** The list's URL with the filter of a form. */
function addressOf(form: HTMLFormElement): string {
  const data = new FormData(form)
  const filled = FIELDS.map((name) => [name, String(data.get(name) ?? '').trim()])
  return `?${new URLSearchParams(filled.filter(([, value]) => value !== ''))}`
}

/** The filter form. The URL holds the filter, and the fields follow the URL. */
export function OrderSearch({ filter: { q, status, from, to } }: { filter: Filter }) {
  const navigate = useNavigate()
  const going = useNavigation().location
  const shown = going ? filterOf(new URLSearchParams(going.search)).status : status
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void navigate(addressOf(event.currentTarget))
  }
  return (
    <search>
      <form onSubmit={find} className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
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
        <Labelled label="Status">
          {(id) => (
            <select
              id={id}
              name="status"
              value={shown ?? ''}
              onChange={({ target }) => target.form?.requestSubmit()}
              className="select w-full sm:w-36"
            >
              <option value="">Any</option>
              {ORDER_STATUSES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Labelled>
        <DayInput key={`from ${from}`} name="from" label="From" day={from} />
        <DayInput key={`to ${to}`} name="to" label="To" day={to} />
        <button type="submit" className="btn btn-secondary">
          Find
        </button>
        {(q || status || from || to) && (
          <Link to="?" className="btn btn-ghost max-sm:col-span-2">
            Show all
          </Link>
        )}
      </form>
    </search>
  )
}
