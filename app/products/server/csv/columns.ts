/** The columns of the products' CSV, each declared once for export and import. */
import { type Static, type TSchema, Type } from 'typebox'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryKey } from '#app/categories/server/service.ts'
import { ProductForm } from '#app/products/admin-contract.ts'
import { Slug } from '#app/shared/contract/fields.ts'
import { type CsvRecord, readCsv } from '#app/shared/server/csv/read.ts'
import { type CsvCell, csvText, pagesOf } from '#app/shared/server/csv/write.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import { toMajor, toMinor } from '#app/shared/server/minor-units.ts'
import { STANDARD_CLASS, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { taxClassKey } from '#app/taxes/server/service.ts'
import type { Database } from '#db/schema.ts'
import { type Fact, type Facts, selectProductsAfter } from './store.ts'

type ExportedProduct = Awaited<ReturnType<typeof selectProductsAfter>>[number]

/** Ids by normalized names. */
export type KnownNames = {
  categories: ReadonlyMap<string, string>
  /** Null is the id of Standard. */
  taxClasses: ReadonlyMap<string, string | null>
}

type Column = {
  cell: (product: ExportedProduct) => CsvCell
  /** The value of a trimmed cell, by default its text; undefined is like a missing column. */
  read?(cell: string): unknown
  /** The rule of that value. */
  schema: TSchema
  /** The column of `products` that it sets. */
  fact?: Fact
  /** The value that is set; that of the cell by default. */
  set?(value: unknown, known: KnownNames): unknown
}

const { properties: form } = ProductForm

const NUMBER = /^[+-]?\d+(\.\d+)?$/
const YES_AND_NO: Record<string, number> = { yes: 1, true: 1, no: 0, false: 0 }

const readText = (cell: string) => cell.replaceAll('\r\n', '\n')
/** The number that a text represents; else the text, which the rules refuse. */
const readNumber = (cell: string) => (NUMBER.test(cell) ? Number(cell) : cell)
const unlessEmpty = (read: (cell: string) => unknown) => (cell: string) =>
  cell === '' ? undefined : read(cell)

/**
 * In export order. `quantity_read` repeats the quantity and must not be edited: an import then applies the
 * difference, so that sales since the export stay.
 */
const COLUMNS = {
  slug: { cell: ({ slug }) => slug, schema: Slug },
  name: { cell: ({ name }) => name, schema: form.name, fact: 'name' },
  description: {
    cell: ({ description }) => description,
    schema: form.description,
    fact: 'description',
  },
  price: {
    cell: ({ price_minor }) => toMajor(price_minor),
    read: readNumber,
    schema: form.price,
    fact: 'price_minor',
    set: toMinor,
  },
  quantity: {
    cell: ({ quantity }) => quantity,
    read: readNumber,
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
    read: unlessEmpty((cell) => YES_AND_NO[cell.toLowerCase()] ?? readNumber(cell)),
    schema: form.shipping,
    fact: 'shipping',
    set: (value: number) => value === 1,
  },
  quantity_read: {
    cell: ({ quantity }) => quantity,
    read: unlessEmpty(readNumber),
    schema: form.quantity,
  },
  weight_grams: {
    cell: ({ weight_grams }) => weight_grams,
    read: readNumber,
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
} satisfies Record<string, Column>

type ColumnName = keyof typeof COLUMNS
type Values = { [Name in ColumnName]?: Static<(typeof COLUMNS)[Name]['schema']> }

const NAMES = Object.keys(COLUMNS) as ColumnName[]
const isColumn = (name: string): name is ColumnName => Object.hasOwn(COLUMNS, name)

/** Exports every product as CSV, oldest first. Importing the file gives the same catalogue. */
export const exportProducts = (db: Database) =>
  csvText(
    Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name].cell])),
    pagesOf((id, limit) => selectProductsAfter(db, id, limit)),
  )

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

/** The problem of the row that starts in a line. */
export type Problem = { line: number; reason: string }

/** A row that is valid by itself. */
export type ImportRow = Values & { line: number }

const reasonAgainst = checkOf(
  Type.Partial(Type.Object(Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name].schema])))),
)

/** Checks a row by itself. */
function checkRow(columns: ColumnName[], { line, cells }: CsvRecord): ImportRow | Problem {
  if (cells.length !== columns.length)
    return { line, reason: `The row has ${cells.length} cells instead of ${columns.length}.` }
  const read = columns.map((name, at) => {
    const { read = readText }: Column = COLUMNS[name]
    return [name, read((cells[at] ?? '').trim())]
  })
  const values: Values = Object.fromEntries(read.filter(([, value]) => value !== undefined))
  const reason = reasonAgainst(values)
  return reason ? { line, reason } : { line, ...values }
}

function columnOf(cell: string, index: number): ColumnName {
  const name = cell.trim().toLowerCase()
  if (isColumn(name)) return name
  if (name === '') throw invalid(`Column ${index + 1} has no name.`)
  throw invalid(
    `There is no column "${name.slice(0, 100)}". Use the file of Export products, whose columns are ${NAMES.join(', ')}.`,
  )
}

/**
 * The columns of a header row, in any order and case. Throws `invalid` for an empty file, for an
 * unknown or repeated column, and when no column identifies the product.
 */
function readHeader(cells: string[] | undefined): ColumnName[] {
  if (!cells) throw invalid('The file is empty. Its first line must name the columns.')
  const columns = cells.map(columnOf)
  const twice = columns.find((column, index) => columns.indexOf(column) < index)
  if (twice) throw invalid(`The column ${twice} appears twice.`)
  if (!columns.includes('slug') && !columns.includes('name'))
    throw invalid('The file needs a column slug, or a column name for new products.')
  return columns
}

/** Throws `invalid` when the header is wrong, before the file is read. */
export async function checkHeader(path: string): Promise<void> {
  const records = readCsv(path)
  readHeader((await records.next()).value?.cells)
  await records.return(undefined)
}

/** Rows processed at a time. */
const BATCH = 500

/**
 * The rows of a file in batches, each row checked by itself. Throws `invalid` when the file cannot
 * be read.
 */
export async function* readRows(path: string): AsyncGenerator<(ImportRow | Problem)[]> {
  const records = readCsv(path)
  const columns = readHeader((await records.next()).value?.cells)
  let batch: (ImportRow | Problem)[] = []
  for await (const record of records) {
    batch.push(checkRow(columns, record))
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
