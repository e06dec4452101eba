import { setImmediate as everybodyElse } from 'node:timers/promises'
import { addCategory } from '#app/categories/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, Failure } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { publishImport } from '../publish.ts'
import {
  claimSlugs,
  countStaged,
  insertStaged,
  lockCategories,
  lockImports,
  lockProducts,
  selectNextLines,
  updateStaged,
} from './apply-store.ts'
import { selectCategoryKeys } from './store.ts'

/** Rows per statement; between statements other requests of this process are served. */
const BATCH = 500

const changedMeanwhile = () => conflict('The catalogue has changed. Please check the file again.')

/** SQLSTATE codes of a concurrent change: a deadlock, or a violated constraint. */
const OVERTAKEN = ['40P01', '23503', '23505', '23514']

/** Turns the error of a concurrent change into a `conflict`. */
export function asConflict(error: unknown): unknown {
  const isOvertaken =
    error instanceof Failure
      ? error.code === 'conflict'
      : OVERTAKEN.includes(String(Object(error).code))
  return isOvertaken ? changedMeanwhile() : error
}

async function addMissing(tx: Database, actor: Actor, missing: ReadonlyMap<string, string>) {
  if (missing.size === 0) return
  const known = new Set((await selectCategoryKeys(tx)).map(({ name_key }) => name_key))
  for (const [key, name] of missing) if (!known.has(key)) await addCategory(tx, actor, name)
}

async function writeRows(tx: Database, file: string, onWritten: (rows: number) => void) {
  let after = 0
  let written = 0
  for (;;) {
    const { last, count } = await selectNextLines(tx, file, after, BATCH)
    if (last === null) return written
    const lines = { file, after, last }
    written += (await insertStaged(tx, lines)) + (await updateStaged(tx, lines))
    after = last
    onWritten(count)
    await everybodyElse()
  }
}

type Staged = {
  file: string
  /** Categories to create, by normalized name. */
  missing: ReadonlyMap<string, string>
  onWritten: (rows: number) => void
}

/**
 * Writes all staged rows of a file in the caller's transaction; `onWritten` is called for every
 * batch. Throws `conflict` when a product, a category or a slug has changed since the check.
 */
export async function writeStaged(
  tx: Database,
  actor: Actor,
  { file, missing, onWritten }: Staged,
): Promise<void> {
  await lockImports(tx)
  await lockCategories(tx, file)
  await addMissing(tx, actor, missing)
  const { added, changed } = await countStaged(tx, file)
  if ((await lockProducts(tx, file)) < changed) throw changedMeanwhile()
  if ((await claimSlugs(tx, file)) < added) throw changedMeanwhile()
  if ((await writeRows(tx, file, onWritten)) < added + changed) throw changedMeanwhile()
  await publishImport(tx)
}
