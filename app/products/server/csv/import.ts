/** Importing products: a file is applied completely or not at all, with the reasons. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { addCategory, categoryKey } from '#app/categories/server/service.ts'
import {
  type ImportOptions,
  type ImportReport,
  type ImportStep,
  MAX_QUANTITY,
} from '#app/products/admin-contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { describeChange } from '#app/shared/server/actor/actor-store.ts'
import { conflict, Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { SendStep } from '#app/shared/server/step-lines.ts'
import { taxClassIds, taxClassKey } from '#app/taxes/server/service.ts'
import type { Database } from '#db/schema.ts'
import { publishImport } from '../publish.ts'
import { claimSlugs } from '../store.ts'
import { factsOf, type ImportRow, type KnownNames, type Problem, readRows } from './columns.ts'
import { slugChooser } from './slugs.ts'
import {
  type Fact,
  type Facts,
  insertProducts,
  lockCategories,
  lockImports,
  lockProducts,
  type StoredProduct,
  selectCategoryIds,
  selectProductsBySlugs,
  updateProducts,
} from './store.ts'

/** Problems that are reported one by one; further ones are only counted. */
const MAX_REPORTED = 100

type Progress = SendStep<ImportStep>

/** A row that names its product, or the slug of a new one. */
type NamedRow = {
  line: number
  isWritten: boolean
  /** When its product was edited last. */
  editedAt: number | undefined
}

/** A checked file without its rows, which are read again when they are written. */
type CheckedFile = KnownNames & {
  path: string
  /** The empty text is the id of a category that is to be created. */
  categories: Map<string, string>
  /** Names of categories to create, by normalized name; null where none may be created. */
  missing: Map<string, string> | null
  /** The normalized names of the categories of the rows that are written. */
  used: Set<string>
  /** By the id of the product, or the slug of a new one. */
  named: Map<string, NamedRow>
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_SLUG = 120

const NEEDED = ['name', 'description', 'price', 'quantity', 'category'] as const

function reasonAgainstNew({ slug, ...row }: ImportRow): string | null {
  if (slug && (!SLUG.test(slug) || slug.length > MAX_SLUG))
    return 'slug may have only lower-case letters, digits and single hyphens between them.'
  const lacking = NEEDED.find((column) => row[column] === undefined)
  return lacking ? `A new product needs a ${lacking}.` : null
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

function reasonAgainst(
  row: ImportRow,
  product: StoredProduct | undefined,
  { categories, missing, taxClasses }: CheckedFile,
): string | null {
  const reason = product ? reasonAgainstQuantity(row, product) : reasonAgainstNew(row)
  if (reason) return reason
  const { tax_class, category } = row
  if (tax_class !== undefined && !taxClasses.has(taxClassKey(tax_class)))
    return `There is no tax class "${tax_class}".`
  if (category === undefined || categories.has(categoryKey(category))) return null
  if (!missing) return `There is no category "${category}".`
  missing.set(categoryKey(category), category)
  categories.set(categoryKey(category), '')
  return null
}

/** The facts that a row sets; of a product that exists, its quantity after sales. */
function factsFor(row: ImportRow, product: StoredProduct | undefined, known: KnownNames): Facts {
  const facts = factsOf(row, known)
  return product ? { ...facts, quantity: quantityAfter(row, product.quantity) } : facts
}

const isChanged = (product: StoredProduct, facts: Facts) =>
  (Object.keys(facts) as Fact[]).some((fact) => facts[fact] !== product[fact])

const keyOf = (row: ImportRow, product: StoredProduct | undefined) => product?.id ?? row.slug

/** Counts the effect of a row, and remembers its product; returns why it is refused. */
function checkRow(
  row: ImportRow,
  product: StoredProduct | undefined,
  { file, report }: { file: CheckedFile; report: ImportReport },
): string | null {
  const key = keyOf(row, product)
  const before = key ? file.named.get(key) : undefined
  if (before) return `The same product is already in line ${before.line}.`
  const reason = reasonAgainst(row, product, file)
  const facts = factsFor(row, product, file)
  const isWritten = reason === null && !(product && !isChanged(product, facts))
  const editedAt = product?.updated_at.getTime()
  if (key) file.named.set(key, { line: row.line, isWritten, editedAt })
  if (reason) return reason
  if (isWritten && row.category !== undefined) file.used.add(categoryKey(row.category))
  if (!product) report.created += 1
  else if (isWritten) report.updated += 1
  else report.unchanged += 1
  if (product && facts.quantity !== product.quantity) report.quantities += 1
  return null
}

const productsOf = (db: Database, rows: (ImportRow | Problem)[]) =>
  selectProductsBySlugs(
    db,
    rows.flatMap((row) => ('reason' in row ? [] : row.slug || [])),
  )

/** Checks the file in batches, so that some hundred rows are in memory. */
async function check(db: Database, file: CheckedFile, progress: Progress): Promise<ImportReport> {
  const report: ImportReport = {
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    quantities: 0,
    categories: 0,
    wrong: 0,
    problems: [],
  }
  for await (const rows of readRows(file.path)) {
    const products = await productsOf(db, rows)
    for (const row of rows) {
      const reason =
        'reason' in row ? row.reason : checkRow(row, products.get(row.slug ?? ''), { file, report })
      if (reason === null) continue
      report.wrong += 1
      if (report.wrong <= MAX_REPORTED) report.problems.push({ line: row.line, reason })
    }
    report.rows += rows.length
    progress({ step: 'checking', rows: report.rows })
    await yieldToEventLoop()
  }
  return { ...report, categories: file.missing?.size ?? 0 }
}

const changedMeanwhile = () => conflict('The catalogue has changed. Please check the file again.')

/** SQLSTATE codes of a concurrent change: a deadlock, or a violated constraint. */
const CONCURRENT_CHANGE_CODES = ['40P01', '23503', '23505', '23514']

/** Turns the error of a concurrent change into a `conflict`. */
function asConflict(error: unknown): unknown {
  const isConcurrent =
    error instanceof Failure
      ? error.code === 'conflict'
      : CONCURRENT_CHANGE_CODES.includes(String(Object(error).code))
  return isConcurrent ? changedMeanwhile() : error
}

/** Locks what the file names: categories, then products. Creates the missing categories. */
async function prepare(tx: Database, actor: Actor, file: CheckedFile): Promise<CheckedFile> {
  await lockImports(tx)
  await lockCategories(tx, [...file.used])
  const existing = await selectCategoryIds(tx)
  for (const [key, name] of file.missing ?? [])
    if (!existing.has(key)) await addCategory(tx, actor, name)
  const changed = [...file.named].filter(([, { isWritten, editedAt }]) => isWritten && editedAt)
  await lockProducts(
    tx,
    changed.map(([id]) => id),
  )
  return { ...file, missing: null, categories: await selectCategoryIds(tx) }
}

/** The products that some rows write, once they are locked. Throws `conflict` when they have changed. */
async function planRows(tx: Database, rows: (ImportRow | Problem)[], file: CheckedFile) {
  const products = await productsOf(tx, rows)
  const created: (Facts & { id: string; slug: string; name: string })[] = []
  const updated: (Facts & { id: string })[] = []
  for (const row of rows) {
    if ('reason' in row) continue
    const product = products.get(row.slug ?? '')
    const key = keyOf(row, product)
    const named = key ? file.named.get(key) : undefined
    if (key && !(named?.isWritten && named.line === row.line)) continue
    const reason = reasonAgainst(row, product, file)
    // without a slug, a row that was refused is refused again
    if (reason && !key) continue
    if (reason || product?.updated_at.getTime() !== named?.editedAt) throw changedMeanwhile()
    const facts = factsFor(row, product, file)
    const { name = '' } = row
    if (product) updated.push({ ...facts, id: product.id })
    // in the order of the file, which becomes the order of the catalogue
    else created.push({ shipping: false, ...facts, name, id: uuidv7(), slug: row.slug ?? '' })
  }
  return { created, updated }
}

type Writing = { file: CheckedFile; report: ImportReport; progress: Progress }

/** Writes the checked rows, in the caller's transaction. */
async function write(tx: Database, actor: Actor, { file: checked, report, progress }: Writing) {
  await describeChange(tx, { reason: 'Import' })
  const file = await prepare(tx, actor, checked)
  const chooseSlugs = slugChooser(tx, (slug) => file.named.get(slug)?.isWritten === true)
  let read = 0
  let written = 0
  for await (const rows of readRows(file.path)) {
    const { created, updated } = await planRows(tx, rows, file)
    const slugs = await chooseSlugs(created.filter(({ slug }) => slug === ''))
    const named = created.map((one) => ({ ...one, slug: slugs.get(one.id) ?? one.slug }))
    if (named.length > 0) {
      if ((await claimSlugs(tx, named)) < named.length) throw changedMeanwhile()
      await insertProducts(tx, named)
    }
    if (updated.length > 0) await updateProducts(tx, updated)
    read += rows.length
    written += created.length + updated.length
    progress({ step: 'writing', rows: read, of: report.rows })
    await yieldToEventLoop()
  }
  if (written !== report.created + report.updated) throw changedMeanwhile()
  await publishImport(tx)
}

type Import = ImportOptions & {
  path: string
  progress: Progress
  /** Throws when the caller may no longer import: checking a large file takes a while. */
  recheckCaller?: () => Promise<void>
}

/**
 * Imports a file of products. First every row is checked, while the shop goes on; then the file is read again
 * and its rows are written in one transaction. `dryRun` ends after the check. Invalid rows refuse the whole
 * file, unless `partial` skips them. `progress` is called for every batch; when it throws, the import ends
 * without effect. Throws `invalid` when the file cannot be read, and `conflict` when its products, categories
 * or slugs have changed since the check.
 */
export async function importProducts(
  db: Database,
  actor: Actor,
  { path, dryRun, createCategories, partial, progress, recheckCaller }: Import,
): Promise<{ imported: boolean; report: ImportReport }> {
  const [categories, taxClasses] = await Promise.all([selectCategoryIds(db), taxClassIds(db)])
  const missing = createCategories ? new Map<string, string>() : null
  const file = { path, categories, taxClasses, missing, used: new Set<string>(), named: new Map() }
  const report = await check(db, file, progress)
  if (dryRun || (report.wrong > 0 && !partial)) return { imported: false, report }
  if (report.created + report.updated === 0) {
    progress({ step: 'writing', rows: report.rows, of: report.rows })
    return { imported: true, report }
  }
  await recheckCaller?.()
  try {
    await inTransaction(db, actor, (tx) => write(tx, actor, { file, report, progress }))
  } catch (error) {
    throw asConflict(error)
  }
  return { imported: true, report }
}
