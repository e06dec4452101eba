import { firstCharacters } from '#app/shared/server/first-characters.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { AuditEntry, Change, Value } from '../admin-contract.ts'
import type { EntryRow } from './store.ts'

/**
 * Longest value sent. A description has up to 10,000 characters, and a page may have fifty changes
 * of one.
 */
const LONGEST = 1000

/** A column's value as the API returns it: money in major units, timestamps in ISO 8601. */
function presentValue(column: string, value: unknown): Value {
  if (typeof value === 'number') return column.endsWith('_minor') ? toMajor(value) : value
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return presentValue(column, value.join(', '))
  if (typeof value !== 'string') return null
  if (column.endsWith('_at')) return new Date(value).toISOString()
  return value.length > LONGEST ? `${firstCharacters(value, LONGEST)} …` : value
}

/** Adds the category's name, if it still exists. */
const withCategory = (columns: EntryRow['before'], name: string | null) =>
  name === null ? columns : { ...columns, category_id: name }

function changesOf(row: EntryRow): Change[] {
  const before = withCategory(row.before, row.category_before)
  const after = withCategory(row.after, row.category_after)
  return Object.keys({ ...before, ...after }).map((column) => ({
    field: column.replace(/_minor$/, ''),
    before: presentValue(column, before?.[column]),
    after: presentValue(column, after?.[column]),
  }))
}

/** An entry as the API returns it. */
export const presentEntry = (row: EntryRow): AuditEntry => ({
  _id: String(row.id),
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, _id: row.actor_id, name: row.actor_name },
  action: row.action,
  object: { kind: row.table_name, _id: row.row_id, name: row.name, slug: row.slug },
  changes: changesOf(row),
})
