/** Publishes what changes of products, so that no page cache shows it for longer than it may. */
import {
  type Change,
  EVERYTHING_TAG,
  publishChanges,
} from '#app/shared/server/cache/change-feed-store.ts'
import type { Database } from '#db/schema.ts'
import { AVAILABILITY_TAG, PRODUCTS_TAG, photoTag, productTag } from '../tags-contract.ts'

/** Lists that do not show a changed product may lack it, or have it too much, for so long. */
const LIST_STALE_MS = 10_000
/** Together with the time between two polls less than the two seconds that a quantity may lag. */
const QUANTITY_STALE_MS = 1000

/** Products were added, edited or removed. Answers that show one of `ids` are not served any more. */
export const publishEdits = (tx: Database, ids: string[]): Promise<void> =>
  publishChanges(tx, [
    ...ids.flatMap((id) => [
      { tag: productTag(id), stale_ms: 0 },
      { tag: photoTag(id), stale_ms: 0 },
    ]),
    { tag: PRODUCTS_TAG, stale_ms: LIST_STALE_MS },
  ])

/** A quantity before and after a sale, or pieces that were given back. */
export type Sale = { id: string; before: number; after: number }

/** Only quantities changed. Lists change when a product sells out, or is in stock again. */
export function publishSales(tx: Database, sales: Sale[]): Promise<void> {
  const changes: Change[] = sales.map(({ id }) => ({
    tag: productTag(id),
    stale_ms: QUANTITY_STALE_MS,
  }))
  if (sales.some(({ before, after }) => (before === 0) !== (after === 0)))
    changes.push({ tag: AVAILABILITY_TAG, stale_ms: LIST_STALE_MS })
  return publishChanges(tx, changes)
}

/** Many products changed at once, as an import does. */
export const publishImport = (tx: Database): Promise<void> =>
  publishChanges(tx, [{ tag: EVERYTHING_TAG, stale_ms: 0 }])
