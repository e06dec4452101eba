/** The options and variants of a product as they are edited, and the edit that is sent of them. */
import {
  CELL_LABELS,
  CELL_NAMES,
  type CellName,
  type Cells,
  type ProductOption,
  type Variant,
  type VariantEdit,
} from '#app/products/variant-contract.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { type CellTexts, parseCell, textOf, textsOf } from './cells.ts'

/** Options and variants as they were read, or saved here. */
export type Read = { options: ProductOption[]; variants: Variant[] }

export type Row = { _id: string; values: Variant['values']; texts: CellTexts }

export type Draft = {
  options: ProductOption[]
  rows: Row[]
}

/** A cell that cannot be saved. */
export type Problem = { row: string; cell: CellName; message: string }

export const draftOf = ({ options, variants }: Read, format: MoneyFormat): Draft => ({
  options,
  rows: variants.map(({ _id, values, ...cells }) => ({
    _id,
    values,
    texts: textsOf(cells, format),
  })),
})

/** The values of a variant, such as 'Red / M'; empty without options. */
export const nameOf = (options: ProductOption[], { values }: Pick<Row, 'values'>) =>
  options
    .map((option) => option.values.find(({ _id }) => _id === values[option.slot - 1])?.name)
    .join(' / ')

/** The rows in the order of the values of their options. */
export function sorted(options: ProductOption[], rows: Row[]): Row[] {
  const places = options.map(({ slot, values }) => ({
    slot,
    at: new Map(values.map(({ _id }, place) => [_id, place])),
  }))
  const placeOf = ({ values }: Row, { slot, at }: (typeof places)[number]) =>
    at.get(values[slot - 1] ?? '') ?? 0
  return rows.toSorted((one, other) =>
    places.reduce((order, place) => order || placeOf(one, place) - placeOf(other, place), 0),
  )
}

/** Combinations of values that no variant has. */
export function missingOf({ options, rows }: Pick<Draft, 'options' | 'rows'>): Row['values'][] {
  const present = new Set(rows.map(({ values }) => values.join()))
  let made: Row['values'][] = [[null, null, null]]
  for (const { slot, values } of options)
    made = made.flatMap((row) => values.map(({ _id }) => row.with(slot - 1, _id)))
  return options.length === 0 ? [] : made.filter((values) => !present.has(values.join()))
}

/** The number of all combinations, which is not counted by making them. */
export const countCombinations = (options: ProductOption[]) =>
  options.reduce((count, { values }) => count * values.length, 1)

/** Adds variants of these values, with the price and weight of the first one, and without stock. */
export function withRows(draft: Draft, combinations: Row['values'][]): Draft {
  const [model] = draft.rows
  if (!model) return draft
  const texts = { ...model.texts, quantity: '0', sku: '', barcode: '' }
  const added = combinations.map((values) => ({ _id: crypto.randomUUID(), values, texts }))
  return { ...draft, rows: sorted(draft.options, [...draft.rows, ...added]) }
}

/** Cells that differ from what was read, by their names. */
function changesOf(row: Row, read: Variant, format: MoneyFormat) {
  const before = textsOf(read, format)
  const cells = CELL_NAMES.filter((cell) => row.texts[cell].trim() !== before[cell])
  return cells.flatMap((cell) => {
    const { value: to } = parseCell(cell, row.texts[cell], format)
    return to === read[cell] ? [] : [[cell, { from: read[cell], to }] as const]
  })
}

/** The values of the cells of a row. */
export const cellsOf = ({ texts }: Row, format: MoneyFormat): Cells => {
  const cells = CELL_NAMES.map((cell) => [cell, parseCell(cell, texts[cell], format).value])
  return Object.fromEntries(cells)
}

/** What differs from what was read: the body of the call that saves it. */
export function editOf(read: Read, draft: Draft, format: MoneyFormat): VariantEdit {
  const before = new Map(read.variants.map((variant) => [variant._id, variant]))
  const isKept = new Set(draft.rows.map(({ _id }) => _id))
  const changed = draft.rows.flatMap((row) => {
    const variant = before.get(row._id)
    const cells = variant ? changesOf(row, variant, format) : []
    return variant && cells.length > 0
      ? [{ _id: row._id, updatedAt: variant.updatedAt, ...Object.fromEntries(cells) }]
      : []
  })
  const added = draft.rows
    .filter(({ _id }) => !before.has(_id))
    .map((row) => ({ _id: row._id, values: row.values, ...cellsOf(row, format) }))
  const kept = read.variants.filter(({ _id }) => isKept.has(_id)).map(({ _id }) => _id)
  const removed = read.variants.filter(({ _id }) => !isKept.has(_id)).map(({ _id }) => _id)
  const hasOptions = JSON.stringify(read.options) !== JSON.stringify(draft.options)
  const order = draft.rows.map(({ _id }) => _id)
  const isReordered =
    (hasOptions || added.length > 0) &&
    order.join() !== [...kept, ...added.map(({ _id }) => _id)].join()
  return {
    ...(hasOptions && { options: { from: read.options, to: draft.options } }),
    ...(changed.length > 0 && { changed }),
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
    ...(isReordered && { order }),
  }
}

/** Typed cells that have no value. */
export function problemsIn({ rows, options }: Draft, read: Read, format: MoneyFormat): Problem[] {
  const before = new Map(read.variants.map((variant) => [variant._id, textsOf(variant, format)]))
  return rows.flatMap((row) =>
    CELL_NAMES.filter((cell) => row.texts[cell].trim() !== before.get(row._id)?.[cell]).flatMap(
      (cell) => {
        const { problem } = parseCell(cell, row.texts[cell], format)
        const name = nameOf(options, row)
        const message = name && problem ? `${name}: ${problem}` : problem
        return message ? [{ row: row._id, cell, message }] : []
      },
    ),
  )
}

/** Each problem of the server's at its cell. */
export function problemsAt(
  { changed = [], added = [] }: VariantEdit,
  fields: { field: string; message: string }[],
): Problem[] {
  return fields.flatMap(({ field, message }) => {
    const [list, at, cell] = field.replace(/^variants\./, '').split('.')
    const row = { changed, added }[list ?? '']?.[Number(at)]
    const named = CELL_NAMES.find((name) => name === cell)
    return row && named ? [{ row: row._id, cell: named, message }] : []
  })
}

/** A draft that was saved as what was read: what the server has counted or written meanwhile is read again. */
export function savedAs(draft: Draft, read: Read, format: MoneyFormat): Read {
  const before = new Map(read.variants.map((variant) => [variant._id, variant]))
  return {
    options: draft.options,
    variants: draft.rows.map((row) => ({
      held: 0,
      updatedAt: '',
      ...before.get(row._id),
      ...cellsOf(row, format),
      values: row.values,
      _id: row._id,
    })),
  }
}

const textOfOptions = ({ options }: Pick<Read, 'options'>) =>
  JSON.stringify(
    options.map(({ slot, name, values }) => [
      slot,
      name.trim(),
      values.map((value) => [value._id, value.name.trim(), value.swatch]),
    ]),
  )

/** Whether another admin has changed the options to others than the draft has. */
function areOptionsOfOthers(draft: Draft, before: Read, now: Read): boolean {
  const text = textOfOptions(now)
  return text !== textOfOptions(before) && text !== textOfOptions(draft)
}

/**
 * A draft of what was read before, on what is stored now: what was edited keeps its text. Where another admin has
 * changed the options it begins anew.
 */
export function rebased(draft: Draft, before: Read, now: Read, format: MoneyFormat): Draft {
  const fresh = draftOf(now, format)
  if (areOptionsOfOthers(draft, before, now)) return fresh
  const stored = new Map(fresh.rows.map((row) => [row._id, row]))
  const former = new Map(before.variants.map((variant) => [variant._id, variant]))
  const isKept = new Set(draft.rows.map(({ _id }) => _id))
  const rows = draft.rows.flatMap((row) => {
    const [was, is] = [former.get(row._id), stored.get(row._id)]
    if (!was) return [row]
    // removed by another admin
    if (!is) return []
    const texts = CELL_NAMES.map((cell) => {
      const typed = parseCell(cell, row.texts[cell], format)
      const isEdited = typed.problem !== undefined || typed.value !== was[cell]
      return [cell, isEdited ? row.texts[cell] : is.texts[cell]]
    })
    return [{ ...row, texts: Object.fromEntries(texts) }]
  })
  const byOthers = fresh.rows.filter(({ _id }) => !former.has(_id) && !isKept.has(_id))
  return {
    options: draft.options,
    rows: sorted(draft.options, [...rows, ...byOthers]),
  }
}

/** Cells that are edited here, and that another admin has changed since they were read. */
export function conflictsIn(draft: Draft, before: Read, now: Read, format: MoneyFormat): Problem[] {
  if (areOptionsOfOthers(draft, before, now)) return []
  const former = new Map(before.variants.map((variant) => [variant._id, variant]))
  const stored = new Map(now.variants.map((variant) => [variant._id, variant]))
  return draft.rows.flatMap((row) => {
    const [was, is] = [former.get(row._id), stored.get(row._id)]
    if (!was || !is) return []
    const name = nameOf(draft.options, row)
    return CELL_NAMES.filter((cell) => {
      const { value } = parseCell(cell, row.texts[cell], format)
      return is[cell] !== was[cell] && value !== was[cell] && value !== is[cell]
    }).map((cell) => {
      const message = `${CELL_LABELS[cell]} is ${textOf(cell, is[cell], format) || 'empty'} now.`
      return { row: row._id, cell, message: name ? `${name}: ${message}` : message }
    })
  })
}

/** What `rebased` could not keep of a draft, as sentences. */
export function lossesIn(draft: Draft, before: Read, now: Read, format: MoneyFormat): string[] {
  if (areOptionsOfOthers(draft, before, now)) {
    const isEdited = JSON.stringify(draft) !== JSON.stringify(draftOf(before, format))
    return isEdited
      ? ['The options were changed in the meantime. What you changed here was not kept.']
      : []
  }
  const former = new Map(before.variants.map((variant) => [variant._id, variant]))
  const stored = new Set(now.variants.map(({ _id }) => _id))
  return draft.rows.flatMap((row) => {
    const was = former.get(row._id)
    if (!was || stored.has(row._id) || changesOf(row, was, format).length === 0) return []
    return [`${nameOf(draft.options, row)} was removed in the meantime.`]
  })
}
