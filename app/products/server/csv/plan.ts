import { v7 as uuidv7 } from 'uuid'
import { categoryKey } from '#app/categories/server/service.ts'
import { MAX_QUANTITY } from '#app/products/admin-contract.ts'
import { taxClassKey } from '#app/taxes/server/service.ts'
import type { Database } from '#db/schema.ts'
import type { ImportRow, Problem } from './rows.ts'
import { type Facts, type StagedRow, selectLines, stageRows } from './staging-store.ts'
import { type Listed, selectProductsBySlugs } from './store.ts'

/** The planned effect of some rows. */
export type Plan = {
  created: number
  updated: number
  unchanged: number
  /** Products whose quantity changes. */
  quantities: number
  problems: Problem[]
}

/** State shared by the batches of a file. */
export type ExistingCatalogue = {
  /** Category ids by normalized name. */
  categories: Map<string, string>
  /** Names of categories to create, by normalized name; null where none may be created. */
  missing: Map<string, string> | null
  /** Ids of tax classes by normalized name. */
  taxClasses: Map<string, string | null>
  /** The id of the staged rows. */
  file: string
}

/** `id` is the product's, also of a new one; `key` is unique among the products of the file. */
type Described = { row: ImportRow; product: Listed | undefined; id: string; key: string }

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const LONGEST_SLUG = 120

const NEEDED = ['name', 'description', 'price_minor', 'quantity', 'category'] as const

function reasonAgainstNew({ slug, ...row }: ImportRow): string | null {
  if (slug !== '' && (!SLUG.test(slug) || slug.length > LONGEST_SLUG))
    return 'slug may have only lower-case letters, digits and single hyphens between them.'
  const lacking = NEEDED.find((column) => row[column] === undefined)
  if (lacking) return `A new product needs a ${lacking.replace('_minor', '')}.`
  return null
}

/** Whether the category exists or will be created. */
function hasCategory(name: string, { categories, missing }: ExistingCatalogue): boolean {
  const key = categoryKey(name)
  if (categories.has(key)) return true
  if (missing && !missing.has(key)) missing.set(key, name)
  return missing !== null
}

/** The quantity after the import: with `quantity_read`, a row adds or subtracts the difference. */
const piecesAfter = ({ quantity, quantity_read }: ImportRow, now: number) =>
  quantity === undefined || quantity_read === undefined
    ? (quantity ?? now)
    : now + quantity - quantity_read

function reasonAgainstPieces(pieces: number, now: number): string | null {
  if (pieces < 0) return `The stock has changed: ${now} left, and the row takes ${now - pieces}.`
  if (pieces > MAX_QUANTITY) return `The quantity would exceed ${MAX_QUANTITY}.`
  return null
}

function reasonAgainst({ row, product }: Described, known: ExistingCatalogue): string | null {
  const reason = product
    ? reasonAgainstPieces(piecesAfter(row, product.quantity), product.quantity)
    : reasonAgainstNew(row)
  if (reason) return reason
  const { tax_class, category } = row
  if (tax_class !== undefined && !known.taxClasses.has(taxClassKey(tax_class)))
    return `There is no tax class "${tax_class}".`
  if (category === undefined || hasCategory(category, known)) return null
  return `There is no category "${category}".`
}

const COMPARED = ['name', 'description', 'price_minor', 'shipping', 'weight_grams'] as const

/** The id of the row's tax class; undefined when it names none. */
const taxClassOf = ({ tax_class }: ImportRow, { taxClasses }: ExistingCatalogue) =>
  tax_class === undefined ? undefined : (taxClasses.get(taxClassKey(tax_class)) ?? null)

function isChanged({ row, product }: Described, known: ExistingCatalogue): boolean {
  if (!product || piecesAfter(row, product.quantity) !== product.quantity) return true
  const { category } = row
  const taxClass = taxClassOf(row, known)
  if (taxClass !== undefined && taxClass !== product.tax_class_id) return true
  if (category !== undefined && known.categories.get(categoryKey(category)) !== product.category_id)
    return true
  return COMPARED.some((fact) => row[fact] !== undefined && row[fact] !== product[fact])
}

function factsOf({ row, product }: Described, known: ExistingCatalogue): Facts {
  const { line: _line, slug: _slug, tax_class: _class, category, quantity_read, ...given } = row
  const taxClass = taxClassOf(row, known)
  return {
    ...given,
    ...(category !== undefined && { category: categoryKey(category) }),
    ...(taxClass !== undefined && { tax_class_id: taxClass }),
    ...(product && { quantity_read, category_before: product.category_id }),
  }
}

/** Counts the row, and returns the staged row, if there is something to write. */
function place(
  one: Described,
  before: number | undefined,
  known: ExistingCatalogue,
  plan: Plan,
): StagedRow[] {
  const { row, product, id, key } = one
  const nothing = { line: row.line, product: key, id: null, slug: null, seen_at: null, facts: null }
  const refuse = (reason: string) => void plan.problems.push({ line: row.line, reason })
  if (before !== undefined) {
    refuse(`The same product is already in line ${before}.`)
    return []
  }
  const reason = reasonAgainst(one, known)
  if (reason) refuse(reason)
  else if (!isChanged(one, known)) plan.unchanged += 1
  else {
    if (product) plan.updated += 1
    else plan.created += 1
    if (product && piecesAfter(row, product.quantity) !== product.quantity) plan.quantities += 1
    const facts = factsOf(one, known)
    if (product) return [{ ...nothing, id, seen_at: product.updated_at, facts }]
    return [{ ...nothing, id, slug: row.slug || null, facts }]
  }
  return [nothing]
}

async function describe(db: Database, rows: ImportRow[]): Promise<Described[]> {
  const slugs = rows.flatMap(({ slug }) => slug || [])
  const products = new Map(
    (await selectProductsBySlugs(db, slugs)).map(({ requestedSlug, ...product }) => [
      requestedSlug,
      product,
    ]),
  )
  return rows.map((row) => {
    const product = products.get(row.slug)
    // in the order of the file, which becomes the order of the catalogue
    const id = product?.id ?? uuidv7()
    return { row, product, id, key: product || row.slug === '' ? id : row.slug }
  })
}

/**
 * Plans the effect of some rows and stages them: a slug that a product has or had changes that
 * product; another slug, or none, creates one.
 */
export async function planRows(
  db: Database,
  rows: (ImportRow | Problem)[],
  known: ExistingCatalogue,
): Promise<Plan> {
  const problems = rows.filter((row) => 'reason' in row)
  const plan: Plan = { created: 0, updated: 0, unchanged: 0, quantities: 0, problems }
  const right = rows.flatMap((row) => ('reason' in row ? [] : [row]))
  const described = await describe(db, right)
  const keys = described.map(({ key }) => key)
  const lines = await selectLines(db, known.file, keys)
  const staged: StagedRow[] = []
  for (const one of described) {
    staged.push(...place(one, lines.get(one.key), known, plan))
    if (!lines.has(one.key)) lines.set(one.key, one.row.line)
  }
  await stageRows(db, known.file, staged)
  plan.problems.sort((a, b) => a.line - b.line)
  return plan
}
