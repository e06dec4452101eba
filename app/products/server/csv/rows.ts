import { Type } from 'typebox'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { ProductForm } from '#app/products/admin-contract.ts'
import { Slug } from '#app/shared/contract/fields.ts'
import { type CsvRecord, readCsv } from '#app/shared/server/csv/read.ts'
import { toMinor } from '#app/shared/server/money.ts'
import { checkOf } from '#app/shared/server/validation.ts'
import { taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { type Column, readHeader } from './columns.ts'

/** The problem of the row that starts in a line. */
export type Problem = { line: number; reason: string }

/**
 * A row that is valid by itself. Fields without a column, an empty shipping, an empty
 * quantity_read and an empty tax_class are missing.
 */
export type ImportRow = {
  line: number
  /** Empty for a new product. */
  slug: string
  name?: string
  description?: string
  price_minor?: number
  quantity?: number
  /** The exported quantity. */
  quantity_read?: number
  /** The category's name. */
  category?: string
  shipping?: boolean
  /** Null when the cell is empty. */
  weight_grams?: number | null
  /** The tax class's name. */
  tax_class?: string
}

/** The rules of the product form, except that the category is given by name. */
const reasonAgainst = checkOf(
  Type.Partial(
    Type.Object({
      ...ProductForm.properties,
      slug: Slug,
      quantity_read: ProductForm.properties.quantity,
      weight_grams: ProductForm.properties.weightGrams,
      category: categoryAdminCalls.createCategory.body.properties.name,
      tax_class: taxAdminCalls.createTaxClass.body.properties.name,
    }),
  ),
)

const NUMBER = /^[+-]?\d+(\.\d+)?$/
const YES_AND_NO: Record<string, number> = { yes: 1, true: 1, no: 0, false: 0 }

/** The number that a text represents; else the text, which the rules refuse. */
const numberOf = (cell = '') => (NUMBER.test(cell.trim()) ? Number(cell) : cell)

type Cells = Partial<Record<Column, string>>

function valuesOf(cells: Cells) {
  const { price, quantity, quantity_read = '', shipping = '', ...others } = cells
  const { weight_grams, tax_class = '', ...texts } = others
  const yesOrNo = shipping.trim().toLowerCase()
  const trimmed = Object.entries(texts).map(([column, cell]) => [
    column,
    cell.replaceAll('\r\n', '\n').trim(),
  ])
  return {
    ...Object.fromEntries(trimmed),
    ...(price !== undefined && { price: numberOf(price) }),
    ...(quantity !== undefined && { quantity: numberOf(quantity) }),
    ...(quantity_read.trim() !== '' && { quantity_read: numberOf(quantity_read) }),
    ...(tax_class.trim() !== '' && { tax_class: tax_class.trim() }),
    ...(yesOrNo !== '' && { shipping: YES_AND_NO[yesOrNo] ?? numberOf(yesOrNo) }),
    ...(weight_grams !== undefined && { weight_grams: numberOf(weight_grams.trim()) }),
  } as Partial<ProductForm> & {
    slug?: string
    quantity_read?: number
    weight_grams?: number | ''
    tax_class?: string
  }
}

/** Checks a row by itself: returns an `ImportRow`, or its problem. */
function checkRow(columns: Column[], { line, cells }: CsvRecord): ImportRow | Problem {
  if (cells.length !== columns.length)
    return { line, reason: `The row has ${cells.length} cells instead of ${columns.length}.` }
  const values = valuesOf(Object.fromEntries(columns.map((column, at) => [column, cells[at]])))
  const reason = reasonAgainst(values)
  if (reason) return { line, reason }
  const { slug = '', price, shipping, weight_grams, ...rest } = values
  return {
    line,
    slug,
    ...rest,
    ...(price !== undefined && { price_minor: toMinor(price) }),
    ...(shipping !== undefined && { shipping: shipping === 1 }),
    ...(weight_grams !== undefined && { weight_grams: weight_grams === '' ? null : weight_grams }),
  }
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
