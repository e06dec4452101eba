/**
 * Changes of many products, in transactions of a part each, so that no purchase waits for all of them. Sent
 * again with its id, as after a lost answer, a change does what is left of it, and changes no product twice.
 */

import {
  type BulkChange,
  type BulkResult,
  MAX_CHANGED,
  type Selection,
} from '#app/products/catalogue-contract.ts'
import { shopCurrencyOf } from '#app/settings/server/currency.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { describeChange } from '#app/shared/server/actor/actor-store.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { checkSelected } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { rethrowMissingReference } from '../editing.ts'
import { publishEdits, publishImport, publishPlans } from '../publish.ts'
import { lockProducts } from '../variants/store.ts'
import {
  countEffects,
  deleteSelected,
  selectChanged,
  selectDeleted,
  selectExisting,
  selectLeft,
  selectPreview,
  settingOf,
  undoSelected,
  updateSelected,
} from './bulk-store.ts'
import { selectMatchingIds } from './list-store.ts'

/** The products of a transaction: a purchase of one of them waits for it. */
const PART = 200
/** The products that a dry run shows. */
const SHOWN = 20
/** From so many products on, all cached answers are made anew instead of those that show one of them. */
const MANY = 100

export type ManyChanged = {
  changeId: string
  selection: Selection
  change: BulkChange
  reason?: string | undefined
}

const publish = (tx: Database, ids: string[], isStatus: boolean) => {
  if (ids.length >= MANY) return publishImport(tx)
  return isStatus ? publishPlans(tx, ids) : publishEdits(tx, ids)
}

const actionOf = (change: BulkChange) => (change.isDeleted ? 'delete' : 'update')

/** The ids of the products that are selected now, sorted. Throws as `checkSelected`. */
async function selectedIds(
  db: Database,
  { changeId, selection, change }: ManyChanged,
): Promise<string[]> {
  if ('ids' in selection) return selectExisting(db, selection.ids)
  const ids = await selectMatchingIds(db, selection.filter, MAX_CHANGED + 1)
  // sent again, those that it has changed may match no more
  const changed = await selectChanged(db, changeId, actionOf(change))
  checkSelected(new Set([...ids, ...changed]).size, selection.count, MAX_CHANGED)
  return ids
}

/** Runs the work on the ids part by part, and answers what it answered. */
async function inParts<Done>(ids: string[], work: (part: string[]) => Promise<Done[]>) {
  const done: Done[] = []
  for (let from = 0; from < ids.length; from += PART)
    done.push(...(await work(ids.slice(from, from + PART))))
  return done
}

type Effects = Omit<BulkResult, 'success' | 'message'>

/** The effects of a change that is not made. */
export async function previewChange(db: Database, many: ManyChanged): Promise<Effects> {
  const { changeId, change } = many
  const ids = await selectedIds(db, many)
  if (change.isDeleted) {
    const preview = await selectDeleted(db, ids, SHOWN)
    return { changed: ids.length, refused: 0, preview }
  }
  const setting = settingOf(change, await shopCurrencyOf(db))
  const [effects, preview] = await Promise.all([
    countEffects(db, ids, setting, changeId),
    selectPreview(db, ids, setting, SHOWN),
  ])
  return { ...effects, preview }
}

/** Makes a change. Throws as `selectedIds`, and `invalid` when there is no such category. */
export async function changeMany(db: Database, actor: Actor, many: ManyChanged): Promise<Effects> {
  const { changeId, change, reason = '' } = many
  const ids = await selectedIds(db, many)
  const setting = change.isDeleted ? null : settingOf(change, await shopCurrencyOf(db))
  const { refused } = setting ? await countEffects(db, ids, setting, changeId) : { refused: 0 }
  await inParts(ids, (part) =>
    inTransaction(db, actor, async (tx) => {
      await describeChange(tx, { changeId, reason: reason.trim() })
      await lockProducts(tx, part, setting === null)
      const done = setting
        ? await updateSelected(tx, part, setting, changeId)
        : await deleteSelected(tx, part)
      await publish(tx, done, change.status !== undefined)
      return done
    }),
  ).catch(rethrowMissingReference)
  // also those of before, when it was sent again
  const changed = await selectChanged(db, changeId, actionOf(change))
  return { changed: changed.length, refused, preview: [] }
}

/** Undoes a change as far as nobody has changed the same since. Answers how many products, and which were left. */
export async function undoMany(db: Database, actor: Actor, changeId: string) {
  const ids = await selectChanged(db, changeId, 'update')
  const undone = await inParts(ids, (part) =>
    inTransaction(db, actor, async (tx) => {
      await describeChange(tx, { reason: 'Undo' })
      await lockProducts(tx, part)
      const done = await undoSelected(tx, part, changeId)
      await publish(tx, [...new Set(done.map(({ product }) => product))], true)
      return done
    }),
  )
  const left = await selectLeft(
    db,
    changeId,
    undone.map(({ row }) => row),
  )
  return { undone: new Set(undone.map(({ product }) => product)).size, left }
}
