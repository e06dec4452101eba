/** Filters of the lists of the back office. The URL contains the filter, and the fields follow the URL. */
import type { ReactNode, SelectHTMLAttributes, SubmitEvent } from 'react'
import { Link, useNavigate, useNavigation } from 'react-router'
import { Field } from '#app/shared/web/form/field.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'

/** The URL of the list with the filled fields of a form. */
function addressOf(form: HTMLFormElement): string {
  const filled = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()])
  return `?${new URLSearchParams(filled.filter(([, value]) => value !== ''))}`
}

type FormProps = { isFiltered: boolean; children: ReactNode }

/** A form with the filters of a list. */
export function FilterForm({ isFiltered, children }: FormProps) {
  const navigate = useNavigate()
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void navigate(addressOf(event.currentTarget))
  }
  return (
    <search>
      <form onSubmit={find} className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
        {children}
        <button type="submit" className="btn btn-secondary">
          Find
        </button>
        {isFiltered && (
          <Link to="?" className="btn btn-ghost max-sm:col-span-2">
            Show all
          </Link>
        )}
      </form>
    </search>
  )
}

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { name: string; label: string }

/** A select that submits its form. `value` is the one in the URL; while a list is loaded, it shows the choice. */
export function FilterSelect({ value, label, className = 'sm:w-40', ...select }: SelectProps) {
  const going = useNavigation().location
  const shown = going ? new URLSearchParams(going.search).get(select.name) : value
  return (
    <Labelled label={label}>
      {(id) => (
        <select
          onChange={({ target }) => target.form?.requestSubmit()}
          {...select}
          id={id}
          value={shown ?? ''}
          className={`input w-full appearance-auto ${className}`}
        />
      )}
    </Labelled>
  )
}

type StateProps<State extends string> = {
  state: State | undefined
  /** The states to choose from, and their names. */
  states: readonly State[]
  nameOf: (state: State) => string
}

/** Filters a list by the state of its entries alone. */
export function StateFilter<State extends string>({ state, states, nameOf }: StateProps<State>) {
  const navigate = useNavigate()
  return (
    <div className="max-sm:w-full">
      <FilterSelect
        name="state"
        label="State"
        value={state}
        onChange={({ target: { value } }) => void navigate(value ? `?state=${value}` : '?')}
        className="sm:w-56"
      >
        <option value="">All</option>
        {states.map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </FilterSelect>
    </div>
  )
}

/** The two days between which the entries of a list are. */
export const DayFilters = ({ from, to }: { from: string | undefined; to: string | undefined }) => (
  <>
    <DayFilter key={`from ${from}`} name="from" label="From" defaultValue={from} />
    <DayFilter key={`to ${to}`} name="to" label="To" defaultValue={to} />
  </>
)

type DayProps = { name: string; label: string; defaultValue: string | undefined }

const DayFilter = (input: DayProps) => (
  <Field {...input} type="date" className="input w-full sm:w-40" />
)
