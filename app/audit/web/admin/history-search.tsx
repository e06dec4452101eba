import { ACTOR_KINDS, AUDITED_TABLES, type AuditFilter } from '#app/audit/admin-contract.ts'
import { DayFilters, FilterForm, FilterSelect } from '#app/back-office/filters.tsx'
import { isId } from '#app/shared/contract/fields.ts'
import { ACTOR_NAMES, tableLabelOf } from './labels.ts'

type Filter = Omit<AuditFilter, 'page'>

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

type Props = { filter: Filter; person: string | undefined }

/** The filter form. */
export function HistorySearch({ filter, person = 'One person' }: Props) {
  const { object, kind, actor, from, to } = filter
  return (
    <FilterForm isFiltered={Object.values(filter).some(Boolean)}>
      {object && <input type="hidden" name="object" value={object} />}
      <FilterSelect name="kind" label="What" value={kind}>
        <option value="">Anything</option>
        {AUDITED_TABLES.map((one) => (
          <option key={one} value={one}>
            {tableLabelOf(one)}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect name="actor" label="Who" value={actor}>
        <option value="">Anyone</option>
        {isId(actor) && <option value={actor}>{person}</option>}
        {ACTOR_KINDS.map((one) => (
          <option key={one} value={one}>
            {ACTOR_NAMES[one]}
          </option>
        ))}
      </FilterSelect>
      <DayFilters from={from} to={to} />
    </FilterForm>
  )
}
