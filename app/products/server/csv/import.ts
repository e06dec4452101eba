/** Importing products: a file is applied completely or not at all, with the reasons. */
import { setImmediate as everybodyElse } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { ImportOptions, ImportReport } from '#app/products/admin-contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { taxClassIds } from '#app/taxes/server/service.ts'
import type { Database } from '#db/schema.ts'
import { type ExistingCatalogue, type Plan, planRows } from './plan.ts'
import { readRows } from './rows.ts'
import { nameProducts } from './slugs.ts'
import { forgetRows, forgetRowsBefore } from './staging-store.ts'
import { selectCategoryKeys } from './store.ts'
import { asConflict, writeStaged } from './write.ts'

/** Problems that are reported one by one; further ones are only counted. */
const MAX_REPORTED = 100

/** The longest duration of an import, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60 * 1000

/** The number of rows checked or, with `of`, written. */
export type Progress = (rows: number, of?: number) => void

const COUNTED = ['created', 'updated', 'unchanged', 'quantities'] as const

const nothing = (): ImportReport => ({
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  quantities: 0,
  categories: 0,
  wrong: 0,
  problems: [],
})

function count(report: ImportReport, plan: Plan) {
  for (const counted of COUNTED) report[counted] += plan[counted]
  report.wrong += plan.problems.length
  report.rows += plan.created + plan.updated + plan.unchanged + plan.problems.length
  report.problems.push(...plan.problems.slice(0, MAX_REPORTED - report.problems.length))
}

async function learn(
  db: Database,
  file: string,
  createCategories: boolean,
): Promise<ExistingCatalogue> {
  const [categories, taxClasses] = await Promise.all([selectCategoryKeys(db), taxClassIds(db)])
  return {
    categories: new Map(categories.map(({ id, name_key }) => [name_key, id])),
    missing: createCategories ? new Map() : null,
    taxClasses,
    file,
  }
}

/** Checks the file in batches, so that memory holds some hundred rows. */
async function check(db: Database, path: string, known: ExistingCatalogue, progress: Progress) {
  const report = nothing()
  for await (const rows of readRows(path)) {
    count(report, await planRows(db, rows, known))
    progress(report.rows)
    await everybodyElse()
  }
  return { ...report, categories: known.missing?.size ?? 0 }
}

type Writing = {
  known: ExistingCatalogue
  report: ImportReport
  progress: Progress
  recheckCaller: () => Promise<void>
}

/** Writes the checked rows in one transaction. */
async function write(
  db: Database,
  actor: Actor,
  { known, report, progress, recheckCaller }: Writing,
) {
  await nameProducts(db, known.file)
  // the other rows change nothing
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
  /** Throws when the caller may no longer import: checking a large file takes a while. */
  recheckCaller?: () => Promise<void>
}

/**
 * Imports a file of products. First every row is checked and staged, while the shop goes on; then
 * all rows are written in one transaction. `dryRun` ends after the check. Invalid rows refuse the
 * whole file, unless `partial` skips them. `progress` is called for every batch; when it throws,
 * the import ends without effect. Throws `invalid` when the file cannot be read, and `conflict`
 * when its products changed since the check.
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
  // rows staged by imports that were interrupted by a crash
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
