/** Publishes changes of products to the page caches. */
import {
  type Change,
  EVERYTHING_TAG,
  publishChanges,
} from '#app/shared/server/cache/change-feed-store.ts'
import type { Database } from '#db/schema.ts'
import { AVAILABILITY_TAG, PRODUCTS_TAG, photoTag, productTag } from '../contract.ts'

/** How long lists that do not show a changed product may be served stale. */
export const LIST_STALE_MS = 10_000
/**
 * How long a quantity may be served stale. With the poll interval this is less than the two seconds
 * of the contract.
 */
export const QUANTITY_STALE_MS = 1000

/**
 * Publishes that products were added, edited or deleted. Answers that show one of `ids` are not
 * served any more.
 */
export const publishEdits = (
  tx: Database,
  ids: string[],
  listStaleMs = LIST_STALE_MS,
): Promise<void> =>
  publishChanges(tx, [
    ...ids.flatMap((id) => [
      { tag: productTag(id), stale_ms: 0 },
      { tag: photoTag(id), stale_ms: 0 },
    ]),
    { tag: PRODUCTS_TAG, stale_ms: listStaleMs },
  ])

/**
 * Publishes that products came into the shop or left it, or that a sale of them began or ended: at its time, no list is
 * served any more as it was.
 */
export const publishPlans = (tx: Database, ids: string[]) => publishEdits(tx, ids, 0)

/** The quantity after a sale or a return, and what was taken: less than nothing by a return. */
type Sale = { product_id: string; quantity: number; taken: number }

/** Publishes changed quantities. Lists change only when a product sells out or is back in stock. */
export function publishSales(tx: Database, sales: Sale[]): Promise<void> {
  const changes: Change[] = sales.map(({ product_id }) => ({
    tag: productTag(product_id),
    stale_ms: QUANTITY_STALE_MS,
  }))
  if (sales.some(({ quantity, taken }) => (quantity === 0) !== (quantity + taken === 0)))
    changes.push({ tag: AVAILABILITY_TAG, stale_ms: LIST_STALE_MS })
  return publishChanges(tx, changes)
}

/** Publishes that many products changed, as by an import. */
export const publishImport = (tx: Database): Promise<void> =>
  publishChanges(tx, [{ tag: EVERYTHING_TAG, stale_ms: 0 }])
