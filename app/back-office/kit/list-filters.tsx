import Search from 'lucide-react/icons/search'
import { type SubmitEvent, useRef } from 'react'
import { Link, useNavigate, useNavigation, useSearchParams } from 'react-router'
import {
  choicesIn,
  type Filter,
  isTabs,
  type Option,
  optionsOf,
  type Tabs,
  withChoices,
} from './list-query.ts'

/** The tabs of a list. */
export function ListTabs({ filter: { name, options } }: { filter: Tabs }) {
  const [search] = useSearchParams()
  const chosen = search.get(name) ?? ''
  return (
    <nav aria-label="Views" className="flex flex-wrap gap-1">
      {optionsOf(options).map(({ value, label }) => (
        <Link
          key={value}
          to={withChoices(search, { [name]: value })}
          aria-current={value === chosen ? 'page' : undefined}
          className="tab"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

type Props = {
  filters: readonly Filter[]
  /** The label of the search field; without one, the list cannot be searched. */
  searchLabel?: string | undefined
  /** The orders of the list, which a phone shows without the headers of its columns. */
  orders?: readonly Option[]
}

/** The search field and the filters of a list. The address contains what is chosen; fields follow it. */
export function ListFilters({ filters, searchLabel, orders = [] }: Props) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const shown = useNavigation().location
  const form = useRef<HTMLFormElement>(null)
  // while a list is loaded, the fields show the choice
  const present = shown ? new URLSearchParams(shown.search) : search
  const fields = filters.flatMap((filter) => (isTabs(filter) ? [] : [filter]))
  if (fields.length + orders.length === 0 && !searchLabel) return null
  const apply = () => {
    if (!form.current) return
    const chosen = [...new FormData(form.current)].map(([name, value]) => [name, `${value}`.trim()])
    void navigate(withChoices(search, Object.fromEntries(chosen)))
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    apply()
  }
  const names = ['q', ...fields.map(({ name }) => name)]
  const isFiltered = choicesIn(search, filters).some(([name]) => names.includes(name))
  return (
    <search className="max-md:w-full">
      <form ref={form} onSubmit={submit} className="list-filters">
        {searchLabel && (
          <span className="input search-field">
            <button type="submit" aria-label="Find" className="cursor-pointer">
              <Search aria-hidden="true" className="size-4 text-base-content/75" />
            </button>
            <input
              key={present.get('q')}
              type="search"
              name="q"
              defaultValue={present.get('q') ?? ''}
              maxLength={200}
              placeholder={searchLabel}
              aria-label={searchLabel}
              data-list-search
              className="min-w-0 grow placeholder:text-base-content/75 placeholder:opacity-100"
            />
          </span>
        )}
        {fields.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={present.get(filter.name) ?? ''}
            apply={apply}
          />
        ))}
        {orders.length > 0 && (
          <span className="lg:hidden">
            <FilterField
              filter={{ name: 'sort', label: 'Sort by', options: orders }}
              value={present.get('sort') ?? ''}
              apply={apply}
              none="Sort by"
            />
          </span>
        )}
        {isFiltered && (
          <Link
            to={withChoices(search, Object.fromEntries(names.map((name) => [name, ''])))}
            className="btn btn-ghost shrink-0"
          >
            Show all
          </Link>
        )}
      </form>
    </search>
  )
}

type FieldProps = {
  filter: Exclude<Filter, Tabs>
  value: string
  apply: () => void
  /** The label of no choice. */
  none?: string
}

/** A filter that is set has the accent's border, and its name. */
function FilterField({ filter, value, apply, none }: FieldProps) {
  const className = `input ${value ? 'border-primary font-medium' : ''}`
  if ('options' in filter) {
    const options = optionsOf(filter.options)
    return (
      <select
        // another one when its options have come, such as that of a person
        key={`${value} ${options.length}`}
        name={filter.name}
        aria-label={filter.label}
        defaultValue={value}
        onChange={apply}
        className={`appearance-auto ${className}`}
      >
        <option value="">{none ?? `${filter.label}: any`}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  if (filter.kind === 'id') return value && <input type="hidden" name={filter.name} value={value} />
  return (
    <label className="flex items-center gap-1.5 text-base-content/75">
      {filter.label}
      <input
        key={value}
        type="date"
        name={filter.name}
        defaultValue={value}
        onChange={({ target }) => (target.value === '' || target.value >= '1970') && apply()}
        className={`text-base-content ${className}`}
      />
    </label>
  )
}
