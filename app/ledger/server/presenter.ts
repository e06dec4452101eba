import { Type } from 'typebox'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import { fits } from '#app/shared/server/json/fits.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Change, Entry, Value } from '../admin-contract.ts'
import type { EntryRow, selectCategoryNames, selectCauses, selectProductNames } from './store.ts'

/** Columns that the entry tells otherwise: its object, its actor, its time. */
const TOLD_OTHERWISE = new Set(['user_id', 'payment_id', 'created_at', 'object_id'])

/** Columns under the names that the API has for them. */
const FIELDS: Record<string, string> = {
  category_id: 'category',
  photo_version: 'photo',
  is_admin: 'admin',
  price_minor: 'price',
  total_minor: 'total',
  amount_minor: 'amount',
  settled_at: 'settledAt',
  cancelled_at: 'cancelledAt',
  closed_at: 'closedAt',
  captured_at: 'capturedAt',
  expires_at: 'expiresAt',
  provider_order_id: 'providerOrderId',
  priced_cart: 'pricedCart',
  refusal_code: 'refusalCode',
  refund_tries: 'refundTries',
  refund_error: 'refundError',
  refund_id: 'refundId',
  given_back_minor: 'givenBack',
  seen_to_at: 'seenToAt',
  seen_note: 'seenNote',
  paid_at: 'paidAt',
}

/** A description has up to 10,000 characters, and a page tells of fifty changes of one. */
const LONGEST = 1000

const areLines = fits(
  Type.Array(
    Type.Object({
      product_id: Type.String(),
      // of what was held only the id is told
      name: Type.Optional(Type.String()),
      quantity: Type.Integer(),
      price_minor: Type.Integer(),
    }),
  ),
)

type Names = { categories: Map<string, string>; products: Map<string, string> }

/** A column's value as the API sends it. */
function sent(column: string, raw: unknown, { categories, products }: Names): Value {
  if (areLines(raw))
    return raw.map(({ product_id: _id, price_minor, quantity, name }) => ({
      ...{ _id, quantity, name: name ?? products.get(_id) ?? null },
      price: toMajor(price_minor),
    }))
  if (typeof raw === 'number') return column.endsWith('_minor') ? toMajor(raw) : raw
  if (typeof raw === 'boolean') return raw
  if (typeof raw !== 'string') return null
  if (column.endsWith('_at')) return new Date(raw).toISOString()
  if (column === 'category_id') return categories.get(raw) ?? raw
  return raw.length > LONGEST ? `${firstCharacters(raw, LONGEST)} …` : raw
}

/** The own id of money is told although it never changes: a payment may have several. */
const isTold = ({ object_kind }: EntryRow, column: string) =>
  !TOLD_OTHERWISE.has(column) && (column !== 'id' || object_kind === 'money')

function changesOf(row: EntryRow, names: Names): Change[] {
  const { before, after } = row
  const columns = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...columns]
    .filter((column) => isTold(row, column))
    .map((column) => ({
      field: FIELDS[column] ?? column,
      before: sent(column, before?.[column], names),
      after: sent(column, after?.[column], names),
    }))
}

/** The ids of the categories that products stood in. */
export const categoriesIn = (rows: EntryRow[]): string[] => [
  ...new Set(
    rows
      .flatMap(({ before, after }) => [before?.category_id, after?.category_id])
      .filter((id) => typeof id === 'string'),
  ),
]

/** The ids of the products that were held. */
export const productsIn = (rows: EntryRow[]): string[] => {
  const held = rows
    .filter(({ object_kind }) => object_kind === 'hold')
    .flatMap(({ after }) => (areLines(after?.lines) ? after.lines : []))
  return [...new Set(held.map(({ product_id }) => product_id))]
}

/** The entries whose stock changed with something else. */
export const stockChanges = (rows: EntryRow[]): number[] =>
  rows
    .filter(({ action, object_kind }) => action === 'update' && object_kind === 'product')
    .filter(({ after }) => after?.quantity !== undefined)
    .map(({ id }) => id)

type Known = {
  categories: Awaited<ReturnType<typeof selectCategoryNames>>
  products: Awaited<ReturnType<typeof selectProductNames>>
  causes: Awaited<ReturnType<typeof selectCauses>>
}

/** Entries as they are sent out: ids as `_id`, money in major units, columns by the API's names. */
export function presentEntries(rows: EntryRow[], known: Known): Entry[] {
  const named = (things: { id: string; name: string }[]) =>
    new Map(things.map(({ id, name }) => [id, name]))
  const names = { categories: named(known.categories), products: named(known.products) }
  // a hold that took another's place is the one that explains it, and stands last
  const causes = new Map(
    known.causes.map(({ entry, id: _id, kind, action }) => [entry, { kind, _id, action }]),
  )
  return rows.map((row) => ({
    _id: String(row.id),
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, _id: row.actor_id, name: row.actor_name },
    action: row.action,
    object: { kind: row.object_kind, _id: row.object_id, name: row.name, slug: row.slug },
    changes: changesOf(row, names),
    cause: causes.get(row.id) ?? null,
  }))
}
