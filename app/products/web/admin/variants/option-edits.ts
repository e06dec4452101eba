/** Edits of the options of a draft. Each also makes the variants fit them. */
import type { ProductOption } from '#app/products/variant-contract.ts'
import { type Draft, type Row, sorted } from './draft.ts'

const SLOTS = [1, 2, 3]

const newValue = (name: string) => ({ _id: crypto.randomUUID(), name, swatch: null })

/** The names in a text, which commas or lines separate; each once. */
export function namesIn(text: string): string[] {
  const names = text
    .split(/[,;\n\r\t]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
}

/** Adds an option; the variants that are there have its first value. */
export function addOption(draft: Draft, name: string, names: string[]): Draft {
  const slot = SLOTS.find((one) => draft.options.every((option) => option.slot !== one))
  const values = names.map(newValue)
  const [first] = values
  if (slot === undefined || !first) return draft
  return {
    ...draft,
    options: [...draft.options, { slot, name, values }],
    rows: draft.rows.map((row) => ({ ...row, values: row.values.with(slot - 1, first._id) })),
  }
}

/** Removes an option. Of variants that differ in nothing else the first one stays. */
export function removeOption(draft: Draft, slot: number): Draft {
  const kept = new Map<string, Row>()
  for (const row of draft.rows) {
    const values = row.values.with(slot - 1, null)
    if (!kept.has(values.join())) kept.set(values.join(), { ...row, values })
  }
  return {
    ...draft,
    options: draft.options.filter((option) => option.slot !== slot),
    rows: [...kept.values()],
  }
}

/** Changes an option by its slot. The variants follow the order of its values. */
export function changeOption(
  draft: Draft,
  slot: number,
  change: (option: ProductOption) => ProductOption,
): Draft {
  const options = draft.options.map((option) => (option.slot === slot ? change(option) : option))
  return { ...draft, options, rows: sorted(options, draft.rows) }
}

/** Adds values to an option, but those of a name that it has. */
export const addValues = (draft: Draft, slot: number, names: string[]): Draft =>
  changeOption(draft, slot, (option) => {
    const present = new Set(option.values.map(({ name }) => name.toLowerCase()))
    const added = names.filter((name) => !present.has(name.toLowerCase())).map(newValue)
    return { ...option, values: [...option.values, ...added] }
  })

/** Removes a value with its variants. */
export const removeValue = (draft: Draft, slot: number, id: string): Draft =>
  changeOption(
    { ...draft, rows: draft.rows.filter(({ values }) => values[slot - 1] !== id) },
    slot,
    (option) => ({ ...option, values: option.values.filter(({ _id }) => _id !== id) }),
  )

/** Moves a value before its neighbour. */
export const moveEarlier = (draft: Draft, slot: number, id: string): Draft =>
  changeOption(draft, slot, (option) => {
    const at = option.values.findIndex(({ _id }) => _id === id)
    const [value] = option.values.slice(at, at + 1)
    if (at < 1 || !value) return option
    return { ...option, values: option.values.toSpliced(at, 1).toSpliced(at - 1, 0, value) }
  })

/** The variants that an edit removes, with their stock and what open payments hold of them. */
export function lossOf(before: Draft, after: Draft, held: ReadonlyMap<string, number>) {
  const kept = new Set(after.rows.map(({ _id }) => _id))
  const lost = before.rows.filter(({ _id }) => !kept.has(_id))
  const sum = (of: (row: Row) => number) => lost.reduce((total, row) => total + of(row), 0)
  return {
    variants: lost.length,
    stock: sum(({ texts }) => Number(texts.quantity) || 0),
    held: sum(({ _id }) => held.get(_id) ?? 0),
    areAll: after.rows.length === 0,
  }
}
