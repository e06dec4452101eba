/** Applies an edit to the options and variants of a product, in memory: all of it or nothing. */

import { MAX_QUANTITY } from '#app/products/form-contract.ts'
import {
  CELL_LABELS,
  CELL_NAMES,
  MAX_VARIANTS,
  type ProductOption,
  type VariantChange,
  type VariantEdit,
} from '#app/products/variant-contract.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { STRIPPED } from '#app/shared/model/visible-text.ts'
import { invalidFields, staleFields } from '#app/shared/server/failure.ts'
import {
  type FieldOf,
  problemsOfIds,
  problemsOfOptions,
  problemsOfValues,
  problemsOfVariants,
} from './checks.ts'
import { COLUMNS, lower, nameIn, SLOTS, type State, shown, stored, valuesOf } from './rows.ts'
import type { VariantRow } from './store.ts'

/** Options without what nobody sees: two equal ones have one text. */
export const textOf = (options: ProductOption[]) =>
  JSON.stringify(
    options.map(({ slot, name, values }) => [
      slot,
      STRIPPED.name(name).trim(),
      values.map(({ _id, name, swatch }) => [
        _id.toLowerCase(),
        STRIPPED.name(name).trim(),
        swatch,
      ]),
    ]),
  )

/** Refuses options that another admin has changed since, and two of one name. */
function optionsAfter(state: State, change: VariantEdit['options']): ProductOption[] {
  if (!change) return state.options
  if (textOf(change.from) !== textOf(state.options)) {
    const now = state.options.map(
      ({ name, values }) => `${name}: ${values.map((value) => value.name).join(', ')}`,
    )
    const message = `The options were changed in the meantime. Now they are ${now.join('; ') || 'none'}.`
    throw staleFields([{ field: 'options', message }])
  }
  const problems = problemsOfOptions(change.to)
  if (problems.length > 0) throw invalidFields(problems)
  return change.to.map(({ values, ...option }) => ({
    ...option,
    values: values.map((value) => ({ ...value, _id: value._id.toLowerCase() })),
  }))
}

/** A variant after the options have changed: with the first value of a new option, and none of a removed one. */
export function inOptions(row: VariantRow, options: ProductOption[]): VariantRow {
  const ids = valuesOf(row)
  const [value1 = null, value2 = null, value3 = null] = SLOTS.map((_, at) => {
    const option = options.find(({ slot }) => slot === at + 1)
    return option ? (ids[at] ?? option.values[0]?._id ?? null) : null
  })
  return { ...row, value1, value2, value3 }
}

/** The quantity after a change: what was sold since it was read is subtracted. */
const quantityAfter = (row: VariantRow, { from, to }: { from: number; to: number }) =>
  row.quantity + to - from

/** A changed variant, and what another admin has changed in its cells meanwhile. */
function changedRow(
  row: VariantRow,
  change: VariantChange,
  at: number,
  { name, currency }: { name: string; currency: string },
) {
  const isSeen = Date.parse(change.updatedAt) === row.updated_at.getTime()
  const problems: FieldProblem[] = []
  const after: VariantRow = { ...row }
  for (const cell of CELL_NAMES) {
    const { [cell]: sent } = change
    if (!sent) continue
    const field = `changed.${at}.${cell}`
    if (cell === 'quantity' && isSeen && change.quantity) {
      after.quantity = quantityAfter(row, change.quantity)
      if (after.quantity < 0 || after.quantity > MAX_QUANTITY)
        problems.push({ field, message: `${name}: the stock has changed, ${row.quantity} left.` })
      continue
    }
    const now = shown(row, cell, currency)
    if (now !== sent.from && now !== sent.to)
      problems.push({ field, message: `${name}: ${CELL_LABELS[cell]} is ${now ?? 'empty'} now.` })
    Object.assign(after, { [COLUMNS[cell]]: stored(cell, sent.to, currency, field) })
  }
  return { after, problems }
}

/** The rows of the new variants. */
export const addedRows = ({ added = [] }: VariantEdit, currency: string): VariantRow[] =>
  added.map(({ _id, values, ...cells }, at) => {
    const [value1 = null, value2 = null, value3 = null] = values.map(lower)
    const columns = CELL_NAMES.map((cell) => [
      COLUMNS[cell],
      stored(cell, cells[cell], currency, `added.${at}.${cell}`),
    ])
    return {
      id: _id.toLowerCase(),
      position: 0,
      value1,
      value2,
      value3,
      updated_at: new Date(0),
      ...Object.fromEntries(columns),
    }
  })

const byId = <Entry extends { _id: string }>(entries: Entry[] | undefined) =>
  new Map((entries ?? []).map((entry, at) => [entry._id.toLowerCase(), { entry, at }]))

/** What an edit makes of options and variants, and the variants that are written and removed for it. */
export type Applied = {
  options: ProductOption[]
  /** Those that are new or differ. */
  written: VariantRow[]
  removed: string[]
}

/** The variants that stay, with their changes. Throws `stale` with each cell that another admin has changed. */
function keptRows(state: State, after: State, edit: VariantEdit): VariantRow[] {
  const changes = byId(edit.changed)
  const removed = new Set(edit.removed?.map(lower))
  const present = new Set(state.variants.map(({ id }) => id))
  const conflicts: FieldProblem[] = [...changes]
    .filter(([id]) => !present.has(id))
    .map(([, { at }]) => ({
      field: `changed.${at}`,
      message: 'This variant was removed in the meantime.',
    }))
  const rows = state.variants
    .filter(({ id }) => !removed.has(id))
    .map((row) => {
      const base = edit.options ? inOptions(row, after.options) : row
      const change = changes.get(row.id)
      if (!change) return base
      const changed = changedRow(base, change.entry, change.at, {
        name: nameIn(after, base),
        currency: state.currency,
      })
      conflicts.push(...changed.problems)
      return changed.after
    })
  if (conflicts.length > 0) throw staleFields(conflicts)
  return rows
}

/** The rows in their order: new ones are the last. */
function placed(state: State, rows: VariantRow[], edit: VariantEdit): VariantRow[] {
  const order = new Map(edit.order?.map((id, at) => [id.toLowerCase(), at]))
  const present = new Set(state.variants.map(({ id }) => id))
  let last = Math.max(-1, ...state.variants.map(({ position }) => position))
  return rows.map((row) => ({
    ...row,
    position: order.get(row.id) ?? (present.has(row.id) ? row.position : ++last),
  }))
}

/**
 * Applies an edit. Throws `stale` with each cell that another admin has changed, and `invalid` with each field that
 * cannot be.
 */
export function applyEdit(state: State, edit: VariantEdit): Applied {
  const changes = byId(edit.changed)
  const added = byId(edit.added)
  const fieldOf: FieldOf = ({ id }) => {
    const [change, one] = [changes.get(id), added.get(id)]
    if (change) return `changed.${change.at}`
    return one ? `added.${one.at}` : null
  }
  const after = { ...state, options: optionsAfter(state, edit.options) }
  const rows = [...keptRows(state, after, edit), ...addedRows(edit, state.currency)]
  if (rows.length > MAX_VARIANTS) {
    const message = `A product has at most ${MAX_VARIANTS} variants; these are ${rows.length}.`
    throw invalidFields([{ field: 'added', message }])
  }
  if (rows.length === 0)
    throw invalidFields([
      {
        field: 'removed',
        message: 'A product has at least one variant. Delete the product to end its sale.',
      },
    ])
  const ordered = placed(state, rows, edit)
  const problems = [
    ...problemsOfIds(state, edit),
    ...problemsOfValues(after.options, ordered, fieldOf),
    ...problemsOfVariants(after, ordered, fieldOf),
  ]
  if (problems.length > 0) throw invalidFields(problems)
  const removed = new Set(edit.removed?.map(lower))
  const before = new Map(state.variants.map((row) => [row.id, JSON.stringify(row)]))
  const written = ordered.filter((row) => before.get(row.id) !== JSON.stringify(row))
  return {
    options: after.options,
    written,
    removed: state.variants.map(({ id }) => id).filter((id) => removed.has(id)),
  }
}
