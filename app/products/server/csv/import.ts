/** Importing products: a file changes the catalogue as a whole, or not at all, and says why not. */
import { v7 as uuidv7 } from 'uuid'
import { addCategory } from '#app/categories/server/service.ts'
import type { ImportOptions, ImportReport } from '#app/products/admin-contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { type Known, type Plan, planRows } from './plan.ts'
import { readRows } from './rows.ts'
import { slugGiver } from './slugs.ts'
import { insertProducts, lockProducts, selectCategoryKeys, updateProducts } from './store.ts'

/** Wrong rows that are told one by one; the others are only counted. */
const MOST_TOLD = 100

/** How many rows were checked or, of all of them, written. */
export type Progress = (rows: number, of?: number) => void

const nothing = (): ImportReport => ({
  ...{ rows: 0, created: 0, updated: 0, unchanged: 0, categories: 0, wrong: 0 },
  problems: [],
})

function count(report: ImportReport, { additions, changes, unchanged, problems }: Plan) {
  report.created += additions.length
  report.updated += changes.length
  report.unchanged += unchanged
  report.wrong += problems.length
  report.rows += additions.length + changes.length + unchanged + problems.length
  report.problems.push(...problems.slice(0, MOST_TOLD - report.problems.length))
}

async function learn(db: Database, missing: Known['missing']): Promise<Known> {
  const categories = await selectCategoryKeys(db)
  return {
    categories: new Map(categories.map(({ id, name_key }) => [name_key, id])),
    missing,
    seen: new Map(),
  }
}

type Walk = {
  known: Known
  write?: (plan: Plan) => Promise<void>
  progress: (rows: number) => void
}

/** Goes through the file once; memory holds some hundred rows and which products were seen. */
async function walk(db: Database, path: string, { known, write, progress }: Walk) {
  const report = nothing()
  for await (const rows of readRows(path)) {
    const plan = await planRows(db, rows, known)
    count(report, plan)
    await write?.(plan)
    progress(report.rows)
  }
  return report
}

function writer(tx: Database, reserved: ReadonlySet<string>) {
  const giveSlugs = slugGiver(reserved)
  return async ({ additions, changes }: Plan) => {
    const products = additions.map((addition) => ({ ...addition, id: uuidv7() }))
    if (products.length > 0) await insertProducts(tx, await giveSlugs(tx, products))
    if (changes.length > 0) await updateProducts(tx, changes)
  }
}

/** Ends the transaction without a trace. */
class Refused extends Error {
  readonly report: ImportReport
  constructor(report: ImportReport) {
    super('Some rows are wrong.')
    this.report = report
  }
}

type Writing = {
  actor: Actor
  checked: ImportReport
  known: Known
  partial: boolean
  progress: Progress
}

async function write(tx: Database, path: string, writing: Writing) {
  const { actor, checked, known, partial, progress } = writing
  await lockProducts(tx)
  for (const name of known.missing?.values() ?? []) await addCategory(tx, actor, name)
  const report = await walk(tx, path, {
    known: await learn(tx, null),
    write: writer(tx, new Set(known.seen.keys())),
    progress: (rows) => progress(rows, checked.rows),
  })
  if (report.wrong > 0 && !partial) throw new Refused(report)
  return { ...report, categories: known.missing?.size ?? 0 }
}

type Import = ImportOptions & { path: string; progress: Progress }

/**
 * Reads a file of products into the catalogue. It is gone through twice: first every row is
 * checked, then all are written in one transaction; `dryRun` ends in between. Wrong rows refuse
 * the whole, unless `partial` leaves them out. Progress is told with every batch, and what it
 * throws ends the import without a trace. Throws `invalid` when the file cannot be read.
 */
export async function importProducts(
  db: Database,
  actor: Actor,
  { path, dryRun = false, createCategories = false, partial = false, progress }: Import,
): Promise<{ imported: boolean; report: ImportReport }> {
  const known = await learn(db, createCategories ? new Map() : null)
  const checked = await walk(db, path, { known, progress })
  const report = { ...checked, categories: known.missing?.size ?? 0 }
  if (dryRun || (report.wrong > 0 && !partial)) return { imported: false, report }
  try {
    const work = { actor, checked, known, partial, progress }
    const written = await inTransaction(db, actor, (tx) => write(tx, path, work))
    return { imported: true, report: written }
  } catch (error) {
    if (error instanceof Refused) return { imported: false, report: error.report }
    throw error
  }
}
