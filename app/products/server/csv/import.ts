/** Importing products: a file changes the catalogue as a whole, or not at all, and says why not. */
import { setImmediate as everybodyElse } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { ImportOptions, ImportReport } from '#app/products/admin-contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { type Known, type Plan, planRows } from './plan.ts'
import { readRows } from './rows.ts'
import { nameProducts } from './slugs.ts'
import { forgetRows, forgetRowsBefore } from './staging-store.ts'
import { selectCategoryKeys } from './store.ts'
import { asConflict, writeStaged } from './write.ts'

/** Wrong rows that are told one by one; the others are only counted. */
const MAX_REPORTED = 100

/** No import takes longer, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60 * 1000

/** How many rows were checked or, of all of them, written. */
export type Progress = (rows: number, of?: number) => void

const COUNTED = ['created', 'updated', 'unchanged', 'quantities'] as const

const nothing = (): ImportReport => ({
  ...{ rows: 0, created: 0, updated: 0, unchanged: 0, quantities: 0, categories: 0, wrong: 0 },
  problems: [],
})

function count(report: ImportReport, plan: Plan) {
  for (const counted of COUNTED) report[counted] += plan[counted]
  report.wrong += plan.problems.length
  report.rows += plan.created + plan.updated + plan.unchanged + plan.problems.length
  report.problems.push(...plan.problems.slice(0, MAX_REPORTED - report.problems.length))
}

async function learn(db: Database, file: string, createCategories: boolean): Promise<Known> {
  const categories = await selectCategoryKeys(db)
  return {
    categories: new Map(categories.map(({ id, name_key }) => [name_key, id])),
    missing: createCategories ? new Map() : null,
    file,
  }
}

/** Goes through the file; memory holds some hundred rows, however many there are. */
async function check(db: Database, path: string, known: Known, progress: Progress) {
  const report = nothing()
  for await (const rows of readRows(path)) {
    count(report, await planRows(db, rows, known))
    progress(report.rows)
    await everybodyElse()
  }
  return { ...report, categories: known.missing?.size ?? 0 }
}

type Writing = {
  known: Known
  report: ImportReport
  progress: Progress
  recheckCaller: () => Promise<void>
}

/** Writes what was checked, in one transaction. */
async function write(
  db: Database,
  actor: Actor,
  { known, report, progress, recheckCaller }: Writing,
) {
  await nameProducts(db, known.file)
  // the other rows have nothing to write
  let done = report.rows - report.created - report.updated
  if (done === report.rows) return progress(done, done)
  const onWritten = (rows: number) => {
    done += rows
    progress(done, report.rows)
  }
  const missing = known.missing ?? new Map()
  await recheckCaller()
  try {
    await inTransaction(db, actor, (tx) =>
      writeStaged(tx, actor, { file: known.file, missing, onWritten }),
    )
  } catch (error) {
    throw asConflict(error)
  }
}

type Import = ImportOptions & {
  path: string
  progress: Progress
  /** Throws where the caller may no longer import: the check of a large file takes a while. */
  recheckCaller?: () => Promise<void>
}

/**
 * Reads a file of products into the catalogue. First every row is checked, and kept aside, while
 * the shop goes on; then all are written in one transaction. `dryRun` ends in between. Wrong rows
 * refuse the whole, unless `partial` leaves them out. Progress is told with every batch, and what
 * it throws ends the import without a trace. Throws `invalid` when the file cannot be read, and
 * `conflict` when what it is about was changed while it was checked.
 */
export async function importProducts(
  db: Database,
  actor: Actor,
  {
    path,
    dryRun = false,
    createCategories = false,
    partial = false,
    progress,
    recheckCaller = async () => {},
  }: Import,
): Promise<{ imported: boolean; report: ImportReport }> {
  const known = await learn(db, uuidv7(), createCategories)
  // left behind by imports that the shop did not survive
  await forgetRowsBefore(db, uuidv7({ msecs: Date.now() - LONGEST_MS }))
  try {
    const report = await check(db, path, known, progress)
    if (dryRun || (report.wrong > 0 && !partial)) return { imported: false, report }
    await write(db, actor, { known, report, progress, recheckCaller })
    return { imported: true, report }
  } finally {
    await forgetRows(db, known.file)
  }
}
