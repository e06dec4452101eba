import { firstCharacters } from '#app/shared/server/first-characters.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { AuditEntry, Change, Value } from '../admin-contract.ts'
import { describe } from './describe.ts'
import type { EntryRow } from './store.ts'

/**
 * Longest value sent. A description has up to 10,000 characters, and a page may have fifty changes
 * of one.
 */
const LONGEST = 1000

function presentNumber(column: string, value: number): number {
  // thousandths of a percent
  if (column === 'rate') return value / 1000
  return column.endsWith('_minor') ? toMajor(value) : value
}

/** A list or an object as text. */
const textOf = (value: object): string =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.join(', ')
    : JSON.stringify(value)

/** A column's value as the API returns it: money in major units, timestamps in ISO 8601, JSON as text. */
function presentValue(column: string, value: unknown): Value {
  if (typeof value === 'number') return presentNumber(column, value)
  if (typeof value === 'boolean') return value
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : textOf(value)
  if (column.endsWith('_at')) return new Date(text).toISOString()
  return text.length > LONGEST ? `${firstCharacters(text, LONGEST)} …` : text
}

/** Adds the category's name, if it still exists. */
const withCategory = (columns: EntryRow['before'], name: string | null) =>
  name === null ? columns : { ...columns, category_id: name }

const TAX_CLASSES = ['tax_class_id', 'class_id', 'shipping_class_id']

/** Replaces the id of a tax class by its name, if it still exists. */
const withTaxClass = (columns: EntryRow['before'], name: string | null) =>
  columns &&
  Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [
      column,
      TAX_CLASSES.includes(column) && value !== null ? (name ?? value) : value,
    ]),
  )

function changesOf(row: EntryRow): Change[] {
  const before = withTaxClass(withCategory(row.before, row.category_before), row.tax_class_before)
  const after = withTaxClass(withCategory(row.after, row.category_after), row.tax_class_after)
  const names = new Map(Object.entries(row.names ?? {}))
  return Object.keys({ ...before, ...after }).map((column) => {
    const values = describe(column, { before, after }, names)
    return {
      field: column.replace(/_minor$/, ''),
      before: presentValue(column, values.before),
      after: presentValue(column, values.after),
    }
  })
}

/** An entry as the API returns it. */
export const presentEntry = (row: EntryRow): AuditEntry => ({
  _id: String(row.id),
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, _id: row.actor_id, name: row.actor_name },
  action: row.action,
  object: {
    kind: row.table_name,
    _id: row.row_id,
    name: row.name,
    slug: row.slug,
    currency: row.currency,
  },
  changes: changesOf(row),
})
