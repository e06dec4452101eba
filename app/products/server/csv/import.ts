/** Importing products: a file changes the catalogue as a whole, or not at all, and says why not. */
import { v7 as uuidv7 } from 'uuid'
import { addCategory } from '#app/categories/server/service.ts'
import type { ImportOptions, ImportReport } from '#app/products/admin-contract.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { type Known, type Plan, planRows } from './plan.ts'
import { readRows } from './rows.ts'
import { slugGiver } from './slugs.ts'
import {
  deleteLines,
  deleteLinesBefore,
  insertProducts,
  lockProducts,
  selectCategoryKeys,
  updateProducts,
} from './store.ts'

/** Wrong rows that are told one by one; the others are only counted. */
const MOST_TOLD = 100

/** No import takes longer, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60 * 1000

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
    file: uuidv7(),
  }
}

type Walk = {
  known: Known
  write?: (plan: Plan) => Promise<void>
  progress: (rows: number) => void
}

/** Goes through the file once; memory holds some hundred rows, however many there are. */
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

function writer(tx: Database, file: string) {
  const giveSlugs = slugGiver(file)
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

type Writing = { checked: ImportReport; known: Known; partial: boolean; progress: Progress }

async function write(tx: Database, path: string, { checked, known, partial, progress }: Writing) {
  await lockProducts(tx)
  for (const name of known.missing?.values() ?? []) await addCategory(tx, name)
  const now = await learn(tx, null)
  const report = await walk(tx, path, {
    known: now,
    write: writer(tx, known.file),
    progress: (rows) => progress(rows, checked.rows),
  })
  await deleteLines(tx, now.file)
  if (report.wrong > 0 && !partial) throw new Refused(report)
  return { ...report, categories: known.missing?.size ?? 0 }
}

/**
 * Reads a file of products into the catalogue. It is gone through twice: first every row is
 * checked, then all are written in one transaction; `dryRun` ends in between. Wrong rows refuse
 * the whole, unless `partial` leaves them out. Progress is told with every batch, and what it
 * throws ends the import without a trace. Throws `invalid` when the file cannot be read.
 */
export async function importProducts(
  db: Database,
  path: string,
  { dryRun = false, createCategories = false, partial = false }: ImportOptions,
  progress: Progress,
): Promise<{ imported: boolean; report: ImportReport }> {
  const known = await learn(db, createCategories ? new Map() : null)
  // left behind by imports that the shop did not survive
  await deleteLinesBefore(db, uuidv7({ msecs: Date.now() - LONGEST_MS }))
  try {
    const checked = await walk(db, path, { known, progress })
    const report = { ...checked, categories: known.missing?.size ?? 0 }
    if (dryRun || (report.wrong > 0 && !partial)) return { imported: false, report }
    const work = { checked, known, partial, progress }
    const written = await inTransaction(db, (tx) => write(tx, path, work))
    return { imported: true, report: written }
  } catch (error) {
    if (error instanceof Refused) return { imported: false, report: error.report }
    throw error
  } finally {
    await deleteLines(db, known.file)
  }
}
