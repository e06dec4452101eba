/** What a row makes of its product, and why it is refused. */
import { categoryKey } from '#app/categories/server/service.ts'
import { MAX_QUANTITY } from '#app/products/form-contract.ts'
import { taxClassKey } from '#app/taxes/server/service.ts'
import { areSameValues, readLines } from '../attributes/lines.ts'
import type { ValueRow } from '../attributes/store.ts'
import { factsOf, type KnownNames } from './columns.ts'
import type { FileFormat } from './file-format.ts'
import type { ImportRow, Problem } from './rows.ts'
import type { Fact, Facts, StoredProduct } from './store.ts'

/** A row that names its product, or the slug of a new one. */
export type NamedRow = {
  line: number
  isWritten: boolean
  /** When its product was edited last. */
  editedAt: number | undefined
}

/** A checked file without its rows, which are read again when they are written. */
export type CheckedFile = KnownNames & {
  path: string
  format: FileFormat
  /** The empty text is the id of a category that is to be created. */
  categories: Map<string, string>
  /** Names of categories to create, by normalized name; null where none may be created. */
  missing: Map<string, string> | null
  /** The normalized names of the categories of the rows that are written. */
  used: Set<string>
  /** By the id of the product, or the slug of a new one. */
  named: Map<string, NamedRow>
  /** The lines of SKUs and barcodes. */
  codes: Map<string, number>
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_SLUG = 120

const NEEDED = ['name', 'description', 'price', 'quantity', 'category'] as const

const listOf = new Intl.ListFormat('en-GB')

function reasonsAgainstNew({ slug, ...row }: ImportRow): string[] {
  const lacking = NEEDED.filter((column) => row[column] === undefined && !row.invalid.has(column))
  return [
    ...(slug && (!SLUG.test(slug) || slug.length > MAX_SLUG)
      ? ['slug may have only lower-case letters, digits and single hyphens between them.']
      : []),
    ...(lacking.length > 0
      ? [`A new product needs ${listOf.format(lacking.map((column) => `a ${column}`))}.`]
      : []),
  ]
}

/** The quantity after the import: with `quantity_read`, a row adds or subtracts the difference. */
const quantityAfter = ({ quantity, quantity_read }: ImportRow, now: number) =>
  quantity === undefined || quantity_read === undefined
    ? (quantity ?? now)
    : now + quantity - quantity_read

function reasonAgainstQuantity(row: ImportRow, { quantity: now }: StoredProduct): string | null {
  const after = quantityAfter(row, now)
  if (after < 0) return `The stock has changed: ${now} left, and the row takes ${now - after}.`
  if (after > MAX_QUANTITY) return `The quantity would exceed ${MAX_QUANTITY}.`
  return null
}

/** Why the row of a product is refused, beside its cells by themselves. */
export function reasonsAgainst(
  row: ImportRow,
  product: StoredProduct | undefined,
  { categories, missing, taxClasses, attributes }: CheckedFile,
): string[] {
  const { tax_class, category } = row
  const quantity = product ? reasonAgainstQuantity(row, product) : null
  const isUnknown = tax_class !== undefined && !taxClasses.has(taxClassKey(tax_class))
  const { reason } = readLines(row.attributes ?? '', attributes)
  const isMissing = category !== undefined && !categories.has(categoryKey(category))
  return [
    ...(product ? [] : reasonsAgainstNew(row)),
    ...(quantity ? [quantity] : []),
    ...(isUnknown ? [`There is no tax class "${tax_class}".`] : []),
    ...(reason ? [reason] : []),
    ...(isMissing && !missing ? [`There is no category "${category}".`] : []),
  ]
}

/** Notes the category of a row that is right: it is written, and created if it is missing. */
export function noteCategory({ category }: ImportRow, { categories, missing, used }: CheckedFile) {
  if (category === undefined) return
  const key = categoryKey(category)
  used.add(key)
  if (categories.has(key)) return
  missing?.set(key, category)
  categories.set(key, '')
}

/** The facts that a row sets; of a product that exists, its quantity after sales. */
export function factsFor(
  row: ImportRow,
  product: StoredProduct | undefined,
  known: KnownNames,
): Facts {
  const facts = factsOf(row, known)
  if (!product) return facts
  // an older file takes back no launch
  const { status: _, ...changed } = facts
  return { ...changed, quantity: quantityAfter(row, product.quantity) }
}

/** The row of a product with options: price, quantity and weight are of its variant. */
export const ofProduct = (row: ImportRow): ImportRow => ({
  ...row,
  price: undefined,
  quantity: undefined,
  quantity_read: undefined,
  weight_grams: undefined,
})

/** The SKUs and barcodes of the rows of a product. */
export const codesOf = (row: ImportRow) =>
  [row, ...row.others].flatMap(({ line, sku, barcode, remove }) =>
    remove
      ? []
      : Object.entries({ sku, barcode }).flatMap(([column, code]) =>
          code ? [{ line, column, code: code.trim() }] : [],
        ),
  )

/** Problems of codes that another row or another product has; remembers the others. */
export function problemsOfCodes(
  row: ImportRow,
  id: string | undefined,
  { codes }: CheckedFile,
  taken: Map<string, { id: string; name: string }>,
): Problem[] {
  return codesOf(row).flatMap(({ line, column, code }) => {
    const key = `${column} ${code}`
    const before = codes.get(key)
    const other = taken.get(key)
    codes.set(key, line)
    if (before) return [{ line, reason: `${column}: ${code} is already in line ${before}.` }]
    if (!other || other.id === id) return []
    return [{ line, reason: `${column}: ${other.name} has ${code} already.` }]
  })
}

export const isChanged = (product: StoredProduct, facts: Facts) =>
  (Object.keys(facts) as Fact[]).some((fact) => facts[fact] !== product[fact])

/** The values of attributes that a row writes; undefined where they stay. */
export function valuesFor(
  { attributes: text }: ImportRow,
  product: StoredProduct | undefined,
  { attributes }: KnownNames,
): ValueRow[] | undefined {
  if (text === undefined || areSameValues(text, product?.attributes ?? '', attributes)) return
  return readLines(text, attributes).rows
}

export const keyOf = (row: ImportRow, product: StoredProduct | undefined) => product?.id ?? row.slug
