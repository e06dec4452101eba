import { toMajor } from '#app/shared/model/minor-units.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { AuditEntry, Change, Value } from '../admin-contract.ts'
import type { EntryRow } from './store.ts'

/**
 * Longest value sent. A description has up to 10,000 characters, and a page may have fifty changes
 * of one.
 */
const MAX_LENGTH = 1000

function presentNumber(column: string, value: number, currency: string): number {
  // thousandths of a percent
  if (column === 'rate') return value / 1000
  // stored from 0
  if (column === 'position') return value + 1
  return column.endsWith('_minor') ? toMajor(value, currency) : value
}

/** A name such as maxTotal or pay_on_delivery in words. */
const inWords = (name: string) => name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase()

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== ''

/** A value of JSON in words: a list, the names and values of an object, or both. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) {
    const isOfObjects = value.some((one) => typeof one === 'object')
    return value.map(textOf).join(isOfObjects ? '; ' : ', ')
  }
  const named = Object.entries(value).filter(([, one]) => isFilled(one))
  return named.map(([name, one]) => `${inWords(name)}: ${textOf(one)}`).join(', ')
}

/** A column's value as the API returns it: money in major units, timestamps in ISO 8601, JSON as text. */
function presentValue(column: string, value: unknown, currency: string): Value {
  if (typeof value === 'number') return presentNumber(column, value, currency)
  if (typeof value === 'boolean') return value
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : textOf(value)
  if (column.endsWith('_at')) return new Date(text).toISOString()
  return text.length > MAX_LENGTH ? `${firstCharacters(text, MAX_LENGTH)} …` : text
}

/** The columns that contain the id or version of a picture. */
const PICTURES = ['photo_version', 'version', 'logo']

/** A picture has no words: only that there is one, another one, or none any more. */
function pictureEvent(before: unknown, after: unknown): string | null {
  if (after) return before ? 'changed' : 'added'
  return before ? 'removed' : null
}

type Slide = { picture?: string; title?: string; text?: string; link?: string }

const slidesIn = (value: unknown): Slide[] => (Array.isArray(value) ? value : [])

const describeSlide = ({ title, text, link }: Slide, at: number) =>
  `slide ${at + 1} “${title}”${[text, link]
    .filter(Boolean)
    .map((one) => `, ${one}`)
    .join('')}`

/** The slides that differ from those at the same place in the other list. */
function describeSlides(value: unknown, other: unknown, isAfter: boolean): string | null {
  const others = slidesIn(other)
  const described = slidesIn(value).flatMap((slide, at) => {
    const former = others[at]
    if (JSON.stringify(slide) === JSON.stringify(former)) return []
    const isOther = isAfter && former !== undefined && former.picture !== slide.picture
    return [describeSlide(slide, at) + (isOther ? ', another picture' : '')]
  })
  return described.length === 0 ? null : described.join('; ')
}

/** The values of payment methods that differ from the others. */
function describeMethods(value: unknown, other: unknown): string | null {
  const described = Object.entries<object>(Object(value)).map(([method, values]) => {
    const others = Object(Object(other)[method])
    const changed = Object.entries(values).filter(
      ([name, one]) => JSON.stringify(one) !== JSON.stringify(others[name]),
    )
    return changed.map(
      ([name, one]) => `${inWords(method)}, ${inWords(name)}: ${String(one ?? '') || 'none'}`,
    )
  })
  return described.flat().join('; ') || null
}

/** The columns with ids of products, categories, tax classes and values, which are shown by their names. */
const NAMED = /(^|_)(product|category|class|attribute|choice)_ids?$|^value\d$/

/** The ids that are shown by their names. */
export const namedIdsIn = (rows: EntryRow[]): string[] =>
  rows
    .flatMap(({ before, after }) =>
      [before, after].flatMap((values) => Object.entries(values ?? {})),
    )
    .flatMap(([column, value]) => (NAMED.test(column) ? [value].flat() : []))
    .filter((id) => typeof id === 'string')

type Names = Map<string, string>

/** The names of ids; null for an empty list. In a list, an id without a name was deleted since. */
function namesOf(value: unknown, names: Names): unknown {
  if (!Array.isArray(value)) return names.get(String(value)) ?? value
  return value.map((id) => names.get(id) ?? 'one that is deleted').join(', ') || null
}

/** A column's values before and after, in words where they are ids, versions, slides or payment methods. */
function describe(column: string, before: unknown, after: unknown, names: Names) {
  if (PICTURES.includes(column)) return [null, pictureEvent(before, after)]
  if (NAMED.test(column)) return [namesOf(before, names), namesOf(after, names)]
  if (column === 'payment_methods')
    return [describeMethods(before, after), describeMethods(after, before)]
  if (column !== 'slides') return [before, after]
  return [describeSlides(before, after, false), describeSlides(after, before, true)]
}

function changesOf(row: EntryRow, names: Names): Change[] {
  const { before, after, shop_currency } = row
  const currency = row.currency ?? shop_currency
  return Object.keys({ ...before, ...after }).map((column) => {
    const [former, present] = describe(column, before?.[column], after?.[column], names)
    return {
      field: column.replace(/_minor$/, ''),
      before: presentValue(column, former, currency),
      after: presentValue(column, present, currency),
    }
  })
}

/** Whether undo-change takes the entry back. */
const isUndoable = ({ action, table_name }: EntryRow) =>
  action === 'update' && (table_name === 'products' || table_name === 'variants')

/** An entry as the API returns it, with the names of the ids that it refers to. */
export const presentEntry = (row: EntryRow, names: Names): AuditEntry => ({
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
  reason: row.reason,
  ...(row.change_id !== null && isUndoable(row) && { changeId: row.change_id }),
  changes: changesOf(row, names),
})
