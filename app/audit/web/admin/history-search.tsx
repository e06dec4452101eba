import type { ReactNode, SubmitEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { ACTOR_KINDS, AUDITED_TABLES, type AuditFilter } from '#app/audit/admin-contract.ts'
import { isId } from '#app/shared/contract/fields.ts'
import { DayInput } from '#app/shared/web/form/day-input.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { ACTOR_NAMES, tableLabelOf } from './labels.ts'

type Filter = Omit<AuditFilter, 'page'>

const FIELDS = ['object', 'kind', 'actor', 'from', 'to'] as const

/** The filter in a query string; unknown values are ignored. */
export function filterOf(search: URLSearchParams): Filter {
  const given = (name: string) => search.get(name) || undefined
  const object = given('object')
  const actor = given('actor')
  return {
    object: isId(object) ? object : undefined,
    kind: AUDITED_TABLES.find((one) => one === given('kind')),
    actor: isId(actor) ? actor : ACTOR_KINDS.find((one) => one === actor),
    from: given('from'),
    to: given('to'),
  }
}

/** The list's URL with the filter of a form. */
function addressOf(form: HTMLFormElement): string {
  const data = new FormData(form)
  const filled = FIELDS.map((name) => [name, String(data.get(name) ?? '')])
  return `?${new URLSearchParams(filled.filter(([, value]) => value !== ''))}`
}

type Props = { filter: Filter; person: string | undefined }

/** The filter form. The URL holds the filter, and the fields follow the URL. */
export function HistorySearch({ filter, person = 'One person' }: Props) {
  const { object, kind, actor, from, to } = filter
  const navigate = useNavigate()
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void navigate(addressOf(event.currentTarget))
  }
  return (
    <search>
      <form onSubmit={find} className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
        {object && <input type="hidden" name="object" value={object} />}
        <Choice key={`kind ${kind}`} name="kind" label="What" value={kind}>
          <option value="">Anything</option>
          {AUDITED_TABLES.map((one) => (
            <option key={one} value={one}>
              {tableLabelOf(one)}
            </option>
          ))}
        </Choice>
        <Choice key={`actor ${actor} ${person}`} name="actor" label="Who" value={actor}>
          <option value="">Anyone</option>
          {isId(actor) && <option value={actor}>{person}</option>}
          {ACTOR_KINDS.map((one) => (
            <option key={one} value={one}>
              {ACTOR_NAMES[one]}
            </option>
          ))}
        </Choice>
        <DayInput key={`from ${from}`} name="from" label="From" day={from} />
        <DayInput key={`to ${to}`} name="to" label="To" day={to} />
        <button type="submit" className="btn btn-secondary">
          Find
        </button>
        {FIELDS.some((name) => filter[name]) && (
          <Link to="?" className="btn btn-ghost">
            Show all
          </Link>
        )}
      </form>
    </search>
  )
}

type ChoiceProps = { name: string; label: string; value: string | undefined; children: ReactNode }

const Choice = ({ name, label, value, children }: ChoiceProps) => (
  <Labelled label={label}>
    {(id) => (
      <select
        id={id}
        name={name}
        defaultValue={value ?? ''}
        onChange={({ target }) => target.form?.requestSubmit()}
        className="select w-full sm:w-40"
      >
        {children}
      </select>
    )}
  </Labelled>
)
