/** Importing products: a file is applied completely or not at all, with the reasons. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { addCategory } from '#app/categories/server/service.ts'
import type { ImportOptions, ImportReport } from '#app/products/admin-contract.ts'
import { settingsOf } from '#app/settings/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { describeChange } from '#app/shared/server/actor/actor-store.ts'
import { conflict, Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { moneyFormatOf } from '#app/shared/server/intl-money-format.ts'
import { taxClassIds } from '#app/taxes/server/service.ts'
import type { Database } from '#db/schema.ts'
import { replaceValues, selectAttributes, type ValueRow } from '../attributes/store.ts'
import { publishImport } from '../publish.ts'
import { claimSlugs } from '../store.ts'
import { recordEdits, refreshListings } from '../variants/listing-store.ts'
import { writeEdit } from '../variants/save.ts'
import { lockProducts, selectStates } from '../variants/store.ts'
import { checkFile, type Progress, planOf, presentOf, type Rows, rightOnes } from './check.ts'
import { inspectFile } from './file-format.ts'
import { type ImportRow, readRows } from './rows.ts'
import { type CheckedFile, factsFor, isChanged, keyOf, reasonsAgainst, valuesFor } from './rules.ts'
import { slugChooser } from './slugs.ts'
import {
  type ChangedProduct,
  insertProducts,
  lockCategories,
  lockImports,
  type NewProduct,
  selectCategoryIds,
  updateProducts,
} from './store.ts'
import { planVariants } from './variants.ts'

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
  const ids = changed.map(([id]) => id)
  await lockProducts(tx, ids)
  return { ...file, missing: null, categories: await selectCategoryIds(tx) }
}

/** What a new product is unless its row says otherwise. */
const DEFAULTS = { shipping: false, status: 'published' } as const

/** The products that some rows write, once they are locked. Throws `conflict` when they have changed. */
async function planRows(tx: Database, rows: Rows, file: CheckedFile) {
  const present = await presentOf(tx, rows, file)
  const created: (NewProduct & { name: string })[] = []
  const updated: ChangedProduct[] = []
  const withVariants: Planned[] = []
  const described: { id: string; values: ValueRow[] }[] = []
  const edited: string[] = []
  let count = 0
  for (const row of rightOnes(rows)) {
    const { product, own, problems, edit } = planOf(row, present)
    const key = keyOf(row, product)
    const named = key ? file.named.get(key) : undefined
    if (key && !(named?.isWritten && named.line === row.line)) continue
    const isRefused = reasonsAgainst(own, product, file).length + problems.length > 0
    // without a slug, a row that was refused is refused again
    if (isRefused && !key) continue
    if (isRefused || product?.updated_at.getTime() !== named?.editedAt) throw changedMeanwhile()
    const facts = factsFor(own, product, file)
    const { name = '' } = row
    const id = product?.id ?? uuidv7()
    count += 1
    if (edit) withVariants.push({ id, row, isNew: !product })
    if (product) edited.push(id)
    const values = valuesFor(row, product, file)
    if (values) described.push({ id, values })
    // in the order of the file, which becomes the order of the catalogue
    if (!product)
      created.push({
        ...DEFAULTS,
        ...facts,
        name,
        id,
        slug: row.slug ?? '',
        listed_variant_id: uuidv7(),
      })
    else if (values || isChanged(product, facts))
      updated.push({ ...facts, id, listed_variant_id: product.listed_variant_id })
  }
  return { created, updated, withVariants, described, edited, count }
}

/** A product whose variants are written once its own row is. */
type Planned = { id: string; row: ImportRow; isNew: boolean }

async function writeVariants(tx: Database, planned: Planned[]) {
  const ids = planned.map(({ id }) => id)
  const states = await selectStates(tx, ids)
  for (const { id, row, isNew } of planned) {
    const state = states.get(id)
    const plan = state && planVariants(state, row, isNew)
    if (!plan || plan.problems.length > 0) throw changedMeanwhile()
    if (plan.edit) await writeEdit(tx, id, state, plan.edit)
  }
}

type Writing = { file: CheckedFile; report: ImportReport; progress: Progress }

/** Writes the checked rows, in the caller's transaction. */
async function write(tx: Database, actor: Actor, { file: checked, report, progress }: Writing) {
  await describeChange(tx, { reason: 'Import' })
  const file = await prepare(tx, actor, checked)
  const chooseSlugs = slugChooser(tx, (slug) => file.named.get(slug)?.isWritten === true)
  let read = 0
  let written = 0
  for await (const rows of readRows(file.path, file.format)) {
    const planned = await planRows(tx, rows, file)
    const { created, updated, withVariants, described } = planned
    const slugs = await chooseSlugs(created.filter(({ slug }) => slug === ''))
    const named = created.map((one) => ({ ...one, slug: slugs.get(one.id) ?? one.slug }))
    if (named.length > 0) {
      if ((await claimSlugs(tx, named)) < named.length) throw changedMeanwhile()
      await insertProducts(tx, named)
    }
    if (updated.length > 0) await updateProducts(tx, updated)
    await writeVariants(tx, withVariants)
    if (described.length > 0) await replaceValues(tx, described)
    await refreshListings(
      tx,
      named.map(({ id }) => id),
    )
    await recordEdits(tx, planned.edited)
    read += rows.reduce((sum, row) => sum + row.size, 0)
    written += planned.count
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
  const { locale, currencyDisplay: currency } = await settingsOf(db)
  const numbers = { currency, format: moneyFormatOf(locale, currency) }
  const [format, categories, taxClasses, attributes] = await Promise.all([
    inspectFile(path, numbers),
    selectCategoryIds(db),
    taxClassIds(db),
    selectAttributes(db),
  ])
  const missing = createCategories ? new Map<string, string>() : null
  const seen = { used: new Set<string>(), named: new Map(), codes: new Map() }
  const file = { path, format, categories, taxClasses, attributes, currency, missing, ...seen }
  const report = await checkFile(db, file, progress)
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
