/** The columns of the products' CSV, each declared once for export and import. */
import { type Static, type TSchema, Type } from 'typebox'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryKey } from '#app/categories/server/service.ts'
import { ProductForm } from '#app/products/form-contract.ts'
import { PRODUCT_STATUSES } from '#app/products/publication-contract.ts'
import { FilledName, Nullable, Slug, stripped, Text } from '#app/shared/contract/fields.ts'
import { toMajor, toMinor } from '#app/shared/model/minor-units.ts'
import { type CsvCell, csvText, pagesOf } from '#app/shared/server/csv/write.ts'
import { STANDARD_CLASS, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { taxClassKey } from '#app/taxes/server/service.ts'
import type { Database } from '#db/schema.ts'
import type { AttributeRow } from '../attributes/store.ts'
import { SLOTS, type State } from '../variants/rows.ts'
import { selectStates } from '../variants/store.ts'
import type { NumberReader } from './numbers.ts'
import { type Fact, type Facts, selectProductsAfter } from './store.ts'

/** A variant, with its product, whose own columns only the first one has. */
type ExportedRow = Awaited<ReturnType<typeof selectProductsAfter>>[number] &
  State['variants'][number] & {
    choice: { option: string; value: string }[]
    isFirst: boolean
    currency: string
  }

/** Ids by normalized names. */
export type KnownNames = {
  categories: ReadonlyMap<string, string>
  /** Null is the id of Standard. */
  taxClasses: ReadonlyMap<string, string | null>
  attributes: AttributeRow[]
  /** That of prices. */
  currency: string
}

type Column = {
  cell: (row: ExportedRow) => CsvCell
  /** The value of a trimmed cell, by default its text; undefined is like a missing column. */
  read?(cell: string, readNumber: NumberReader): unknown
  /** Whether its cells are numbers. */
  isNumber?: true
  /** Whether they are amounts in the shop's currency. */
  isMoney?: true
  /** The rule of that value. */
  schema: TSchema
  /** The column of products, or of their listed variants, that it sets. */
  fact?: Fact
  /** Whether it belongs to a variant: each row of a product has it. */
  ofVariant?: true
  /** The value that is set; that of the cell by default. */
  set?(value: unknown, known: KnownNames): unknown
}

const { properties: form } = ProductForm

const YES_AND_NO: Record<string, number | undefined> = {
  yes: 1,
  true: 1,
  '1': 1,
  no: 0,
  false: 0,
  '0': 0,
}

const readText = (cell: string) => cell.replaceAll('\r\n', '\n')
/** The number that a text represents; else the text, which the rules refuse. */
const asNumber = (cell: string, readNumber: NumberReader) => readNumber(cell)
const readYes = (cell: string) => YES_AND_NO[cell.toLowerCase()] ?? cell
const unlessEmpty =
  (read: (cell: string, readNumber: NumberReader) => unknown) =>
  (cell: string, readNumber: NumberReader) =>
    cell === '' ? undefined : read(cell, readNumber)

const optionAt = (at: number, cell: 'option' | 'value') => ({
  ofVariant: true as const,
  cell: ({ choice }: ExportedRow) => choice[at]?.[cell] ?? null,
  read: unlessEmpty((text) => text),
  schema: FilledName(50),
})

const BARCODE = stripped('code', Type.String({ pattern: '^(\\d{8}|\\d{12,14})?$' }))

/** The columns that only files with variants have. */
const VARIANT_COLUMNS = {
  option1: optionAt(0, 'option'),
  value1: optionAt(0, 'value'),
  option2: optionAt(1, 'option'),
  value2: optionAt(1, 'value'),
  option3: optionAt(2, 'option'),
  value3: optionAt(2, 'value'),
  sku: {
    ofVariant: true,
    cell: ({ sku }) => sku,
    schema: stripped('code', Text({ maxLength: 64 })),
  },
  barcode: { ofVariant: true, cell: ({ barcode }) => barcode, schema: BARCODE },
  compare_at_price: {
    ofVariant: true,
    cell: ({ compare_at_minor: before, currency }) => before && toMajor(before, currency),
    isNumber: true,
    isMoney: true,
    read: (cell, readNumber) => (cell === '' ? null : readNumber(cell)),
    schema: Nullable(form.price),
  },
  // empty in an export: no variant is removed by its absence
  remove: { ofVariant: true, cell: () => null, read: unlessEmpty(readYes), schema: form.shipping },
} satisfies Record<string, Column>

/**
 * In export order. `quantity_read` repeats the quantity and must not be edited: an import then applies the
 * difference, so that sales since the export stay.
 */
export const COLUMNS = {
  slug: { ofVariant: true, cell: ({ slug }) => slug, schema: Slug },
  name: { cell: ({ name }) => name, schema: form.name, fact: 'name' },
  description: {
    cell: ({ description }) => description,
    schema: form.description,
    fact: 'description',
  },
  price: {
    ofVariant: true,
    cell: ({ price_minor, currency }) => toMajor(price_minor, currency),
    isNumber: true,
    isMoney: true,
    read: asNumber,
    schema: form.price,
    fact: 'price_minor',
    set: (price: number, { currency }) => toMinor(price, currency),
  },
  quantity: {
    ofVariant: true,
    cell: ({ quantity }) => quantity,
    isNumber: true,
    read: asNumber,
    schema: form.quantity,
    fact: 'quantity',
  },
  category: {
    cell: ({ category }) => category,
    schema: categoryAdminCalls.createCategory.body.properties.name,
    fact: 'category_id',
    set: (name: string, { categories }) => categories.get(categoryKey(name)),
  },
  shipping: {
    cell: ({ shipping }) => (shipping ? 1 : 0),
    read: unlessEmpty(readYes),
    schema: form.shipping,
    fact: 'shipping',
    set: (value: number) => value === 1,
  },
  quantity_read: {
    ofVariant: true,
    cell: ({ quantity }) => quantity,
    isNumber: true,
    read: unlessEmpty(asNumber),
    schema: form.quantity,
  },
  weight_grams: {
    ofVariant: true,
    cell: ({ weight_grams }) => weight_grams,
    isNumber: true,
    read: asNumber,
    schema: form.weightGrams,
    fact: 'weight_grams',
    set: (value: number | '') => (value === '' ? null : value),
  },
  tax_class: {
    cell: ({ tax_class }) => tax_class ?? STANDARD_CLASS,
    read: unlessEmpty((cell) => cell),
    schema: taxAdminCalls.createTaxClass.body.properties.name,
    fact: 'tax_class_id',
    set: (name: string, { taxClasses }) => taxClasses.get(taxClassKey(name)),
  },
  status: {
    cell: ({ status }) => status,
    read: unlessEmpty((cell) => cell.toLowerCase()),
    schema: Type.Enum([...PRODUCT_STATUSES]),
    fact: 'status',
  },
  // a line each, such as "Material: Oak"
  attributes: { cell: ({ attributes }) => attributes, schema: Text({ maxLength: 50_000 }) },
  ...VARIANT_COLUMNS,
} satisfies Record<string, Column>

export type ColumnName = keyof typeof COLUMNS
export type Values = { [Name in ColumnName]?: Static<(typeof COLUMNS)[Name]['schema']> }

export const NAMES = Object.keys(COLUMNS) as ColumnName[]
export const isColumn = (name: string): name is ColumnName => Object.hasOwn(COLUMNS, name)
/** The value of a trimmed cell; undefined is like a missing column. */
export function readCell(name: ColumnName, cell: string, readNumber: NumberReader): unknown {
  const { read = readText }: Column = COLUMNS[name]
  return read(cell, readNumber)
}

export const isNumber = (name: ColumnName) => 'isNumber' in COLUMNS[name]
/** Whether a column sets a fact of the product, or of its listed variant. */
export const isFact = (name: ColumnName) => 'fact' in COLUMNS[name]
export const isMoney = (name: ColumnName) => 'isMoney' in COLUMNS[name]
export const isOfVariant = (name: ColumnName) => 'ofVariant' in COLUMNS[name]
/** Whether a file has variants: others leave them as they are. */
export const hasVariants = (columns: ColumnName[]) =>
  columns.some((name) => Object.hasOwn(VARIANT_COLUMNS, name))

/** The variants of a product, in their order. */
const variantsOf = ({ options, variants, currency }: State) =>
  variants.map((variant, at) => ({
    ...variant,
    currency,
    isFirst: at === 0,
    choice: options.map(({ slot, name, values }) => {
      const id = variant[SLOTS[slot - 1] ?? 'value1']
      return { option: name, value: values.find(({ _id }) => _id === id)?.name ?? '' }
    }),
  }))

async function* exportedRows(db: Database): AsyncGenerator<ExportedRow[]> {
  for await (const products of pagesOf((id, limit) => selectProductsAfter(db, id, limit))) {
    const states = await selectStates(
      db,
      products.map(({ id }) => id),
    )
    yield products.flatMap((product) => {
      const state = states.get(product.id)
      return state ? variantsOf(state).map((variant) => ({ ...product, ...variant })) : []
    })
  }
}

/** Exports every product as CSV, oldest first, with a row for each variant. Importing the file gives the same catalogue. */
export function exportProducts(db: Database) {
  const cellOf = (name: ColumnName) => (row: ExportedRow) =>
    row.isFirst || isOfVariant(name) ? COLUMNS[name].cell(row) : null
  return csvText(Object.fromEntries(NAMES.map((name) => [name, cellOf(name)])), exportedRows(db))
}

/** The facts that the values of a row set; an unknown name sets undefined. */
export const factsOf = (values: Values, known: KnownNames): Facts =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const { fact, set }: Column = COLUMNS[name]
      const value = values[name]
      if (!fact || value === undefined) return []
      return [[fact, set ? set(value, known) : value]]
    }),
  )
