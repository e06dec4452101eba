/** What the rows of a product make of its options and variants, as an edit of the back office. */
import { randomUUID } from 'node:crypto'
import { hasCheckDigit } from '#app/products/admin-model.ts'
import {
  CELL_NAMES,
  type CellName,
  MAX_OPTIONS,
  MAX_VALUES,
  type NewVariant,
  type ProductOption,
  type VariantChange,
  type VariantEdit,
} from '#app/products/variant-contract.ts'
import { toMinor } from '#app/shared/model/minor-units.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { addedRows, applyEdit, inOptions, textOf } from '../variants/edit.ts'
import { SLOTS, type State, shown, valuesOf } from '../variants/rows.ts'
import type { VariantRow } from '../variants/store.ts'
import { isFact } from './columns.ts'
import type { ImportRow, Line, Problem } from './rows.ts'

/** The columns of the cells of a variant. */
const COLUMN_OF = {
  price: 'price',
  compareAt: 'compare_at_price',
  quantity: 'quantity',
  weightGrams: 'weight_grams',
  sku: 'sku',
  barcode: 'barcode',
} as const satisfies Record<CellName, keyof Line>

const OPTION_COLUMNS = [
  ['option1', 'value1'],
  ['option2', 'value2'],
  ['option3', 'value3'],
] as const

const folded = (text: string) => text.trim().toLowerCase()
const at = (line: Line, reason: string): Problem => ({ line: line.line, reason })

/** The cell of a row: undefined leaves it as it is. */
function cellOf(line: Line, cell: CellName) {
  const value = line[COLUMN_OF[cell]]
  return value === '' ? null : value
}

/** The first row names the options, and each row a value of each of them. */
function problemsOfNames({ options }: State, lead: ImportRow): Problem[] {
  const named = OPTION_COLUMNS.map(([option]) => folded(lead[option] ?? ''))
  const missing = options.filter(({ name }) => !named.includes(folded(name)))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(' and ')
    return [at(lead, `option1: the product has the option ${names}, which the file has to name.`)]
  }
  return [lead, ...lead.others].flatMap((line) =>
    OPTION_COLUMNS.flatMap(([option, value], index) => {
      const [name, first] = [folded(line[option] ?? ''), named[index] ?? '']
      if (first !== '' && named.indexOf(first) < index)
        return [at(line, `${option}: two options have this name.`)]
      if (line.invalid.has(option) || line.invalid.has(value)) return []
      if (name !== '' && name !== first)
        return [
          at(line, `${option} is not that of the first row of the product, line ${lead.line}.`),
        ]
      if ((first === '') === (line[value] === undefined)) return []
      return [at(line, first === '' ? `${option} is required.` : `${value} is required.`)]
    }),
  )
}

type Option = ProductOption & { column: 'value1' | 'value2' | 'value3' }

/** The options of a product with those that the file adds, and their values with those of the rows that stay. */
function optionsAfter({ options }: State, lead: ImportRow): Option[] {
  const free = Array.from({ length: MAX_OPTIONS }, (_, index) => index + 1).filter(
    (slot) => !options.some((option) => option.slot === slot),
  )
  const all = OPTION_COLUMNS.flatMap(([column, value]): Option[] => {
    const name = lead[column]
    if (name === undefined) return []
    const known = options.find((option) => folded(option.name) === folded(name))
    const { slot, values } = known ?? { slot: free.shift() ?? MAX_OPTIONS, values: [] }
    const present = new Map(values.map((one) => [folded(one.name), one]))
    for (const line of [lead, ...lead.others]) {
      const text = line[value] ?? ''
      if (!line.remove && !present.has(folded(text)))
        present.set(folded(text), { _id: randomUUID(), name: text, swatch: null })
    }
    return [{ slot, name: known?.name ?? name, values: [...present.values()], column: value }]
  })
  const orderOf = (slot: number) => options.findIndex((option) => option.slot === slot)
  return all.toSorted((one, other) => {
    const [a, b] = [orderOf(one.slot), orderOf(other.slot)]
    return a < 0 || b < 0 ? Number(a < 0) - Number(b < 0) : a - b
  })
}

const idsOf = (line: Line, options: Option[]) =>
  SLOTS.map((_, index) => {
    const option = options.find(({ slot }) => slot === index + 1)
    const name = option && folded(line[option.column] ?? '')
    return option?.values.find((value) => folded(value.name) === name)?._id ?? null
  })

/** The cells that no column of a product sets. */
const OF_VARIANTS_ONLY = CELL_NAMES.filter((cell) => !isFact(COLUMN_OF[cell]))

/** Whether a cell is a stored code without its leading zeros: spreadsheets read codes as numbers. */
const isWithoutZeros = (to: string | number | null, now: string | number | null) =>
  typeof now === 'string' && /^0\d+$/.test(now) && to === now.replace(/^0+/, '')

/** The cells that are compared, and the currency of their amounts. */
type Compared = { cells: CellName[]; currency: string }

/** The cells of a variant that a row changes. */
function changeOf(
  row: VariantRow,
  line: Line,
  { cells, currency }: Compared,
): VariantChange | null {
  const changes = cells.flatMap((cell) => {
    const to = cellOf(line, cell)
    const now = shown(row, cell, currency)
    const from = cell === 'quantity' ? (line.quantity_read ?? now) : now
    return to === undefined || to === from || isWithoutZeros(to, from) ? [] : [[cell, { from, to }]]
  })
  if (changes.length === 0) return null
  const sent = { _id: row.id, updatedAt: row.updated_at.toISOString() }
  return { ...sent, ...Object.fromEntries(changes) }
}

/** A variant that the file adds. */
const newVariant = (line: Line, values: (string | null)[]) =>
  ({
    _id: randomUUID(),
    values,
    ...Object.fromEntries(CELL_NAMES.map((cell) => [cell, cellOf(line, cell) ?? null])),
  }) as NewVariant

/** What an edit would refuse of the cells of a line, which is not tried while other lines are wrong. */
function problemsOfCells(line: Line): Problem[] {
  const { price, compare_at_price: before, barcode } = line
  return [
    ...(price !== undefined && before && before <= price
      ? [at(line, 'compare_at_price has to be higher than the price.')]
      : []),
    ...(barcode && !hasCheckDigit(barcode)
      ? [at(line, 'barcode: the last digit does not fit the others.')]
      : []),
  ]
}

/** What a variant lacks that the file adds. */
function lackingIn(line: Line): Problem[] {
  const isLacking = (name: 'price' | 'quantity') =>
    line[name] === undefined && !line.invalid.has(name)
  const lacking = (['price', 'quantity'] as const).filter(isLacking)
  return lacking.length > 0 ? [at(line, `A new variant needs a ${lacking.join(' and a ')}.`)] : []
}

type Sorted = {
  changed: { sent: VariantChange; line: Line }[]
  added: { sent: NewVariant; line: Line }[]
  removed: { sent: string; line: Line }[]
  problems: Problem[]
}

/** Sorts the rows of a product into the variants that they change, add and remove. */
function sortRows(rows: VariantRow[], lead: ImportRow, options: Option[], compared: Compared) {
  const sorted: Sorted = { changed: [], added: [], removed: [], problems: [] }
  const present = new Map(rows.map((row) => [valuesOf(row).join(), row]))
  const lines = new Map<string, number>()
  for (const line of [lead, ...lead.others]) {
    const values = idsOf(line, options)
    const key = values.join()
    const row = present.get(key)
    const before = lines.get(key)
    lines.set(key, line.line)
    if (before) sorted.problems.push(at(line, `The same variant is already in line ${before}.`))
    else if (line.remove && row) sorted.removed.push({ sent: row.id, line })
    else if (line.remove) sorted.problems.push(at(line, 'remove: there is no such variant.'))
    else if (row) {
      const sent = changeOf(row, line, compared)
      if (sent) sorted.changed.push({ sent, line })
    } else {
      sorted.problems.push(...lackingIn(line))
      sorted.added.push({ sent: newVariant(line, values), line })
    }
  }
  return sorted
}

/** The values that stay: those of removed variants go with the last of them. */
function keptOptions(options: Option[], rows: VariantRow[], { removed, added }: Sorted) {
  const gone = new Set(removed.map(({ sent }) => sent))
  const valuesIn = (some: VariantRow[]) => new Set(some.flatMap(valuesOf))
  const lost = valuesIn(rows.filter(({ id }) => gone.has(id)))
  const used = valuesIn(rows.filter(({ id }) => !gone.has(id)))
  const isAdded = (id: string) => added.some(({ sent }) => sent.values.includes(id))
  return options.map(({ column: _, values, ...option }) => ({
    ...option,
    values: values.filter(({ _id }) => !lost.has(_id) || used.has(_id) || isAdded(_id)),
  }))
}

/** The lines and columns of a refused edit. */
function problemsOf(error: unknown, lead: Line, { changed, added, removed }: Sorted): Problem[] {
  if (!(error instanceof Failure) || !error.details.fields) throw error
  return error.details.fields.map(({ field, message }) => {
    const [list, index, cell = ''] = field.split('.')
    const found = (list === 'changed' ? changed : added)[Number(index)]?.line
    const column = Object.hasOwn(COLUMN_OF, cell) ? `${COLUMN_OF[cell as CellName]}: ` : ''
    return at(
      found ?? (list === 'removed' ? removed[0]?.line : undefined) ?? lead,
      column + message,
    )
  })
}

/** What the rows of a product make of its variants. */
export type VariantPlan = {
  problems: Problem[]
  /** Null when they change nothing. */
  edit: VariantEdit | null
  /** Whether the rows have options: then price, quantity and weight are those of the variants. */
  hasOptions: boolean
}

/** The state of a product that the first row creates, before it has options. */
export function stateOfNew(
  { line, invalid, name = '', price = 0, quantity = 0, weight_grams }: Line,
  currency: string,
): State {
  const first = newVariant({ line, invalid, price, quantity, weight_grams }, [null, null, null])
  return { name, options: [], variants: addedRows({ added: [first] }, currency), currency }
}

/** A product without options has the price of the row before its variant is written. */
const withPrice = (state: State, price: number | undefined): State =>
  price === undefined
    ? state
    : {
        ...state,
        variants: state.variants.map((row) => ({
          ...row,
          price_minor: toMinor(price, state.currency),
        })),
      }

/** Compares the rows of a product with its variants. */
export function planVariants(stored: State, lead: ImportRow, isNew: boolean): VariantPlan {
  const hasOptions = OPTION_COLUMNS.some(([option]) => lead[option] !== undefined)
  const isUnclear = (line: Line) => OPTION_COLUMNS.flat().some((name) => line.invalid.has(name))
  const wrong = isUnclear(lead) ? [] : problemsOfNames(stored, lead)
  const lines = [lead, ...lead.others]
  const ofCells = lines.flatMap(problemsOfCells)
  if (wrong.length > 0 || lines.some(isUnclear)) {
    const lacking = isNew ? lead.others.flatMap(lackingIn) : []
    return { problems: [...wrong, ...lacking, ...ofCells], edit: null, hasOptions }
  }
  const state = hasOptions ? stored : withPrice(stored, lead.price)
  const options = optionsAfter(state, lead)
  const rows = state.variants.map((row) => inOptions(row, options))
  const cells = hasOptions && !isNew ? CELL_NAMES : OF_VARIANTS_ONLY
  const sorted = sortRows(rows, lead, options, { cells, currency: state.currency })
  const { changed, added, removed, problems } = sorted
  if (problems.length + lead.problems.length > 0)
    return { problems: [...problems, ...ofCells], edit: null, hasOptions }
  const to = keptOptions(options, rows, sorted)
  const isSame = textOf(to) === textOf(state.options)
  const edit: VariantEdit = {
    ...(!isSame && { options: { from: state.options, to } }),
    changed: changed.map(({ sent }) => sent),
    added: added.map(({ sent }) => sent),
    removed: removed.map(({ sent }) => sent),
  }
  const long = to.find(({ values }) => values.length > MAX_VALUES)
  if (long) {
    const reason = `The option ${long.name} has more than ${MAX_VALUES} values.`
    return { problems: [at(lead, reason)], edit: null, hasOptions }
  }
  if (isSame && changed.length + added.length + removed.length === 0)
    return { problems, edit: null, hasOptions }
  try {
    applyEdit(state, edit)
  } catch (error) {
    return { problems: problemsOf(error, lead, sorted), edit: null, hasOptions }
  }
  return { problems, edit, hasOptions }
}
