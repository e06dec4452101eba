import { keysIn, MAX_KEPT_FACETS } from '#app/products/facet-model.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { publishPlans } from '../publish.ts'
import { type FacetGroups, refreshStale, selectFacets } from './store.ts'

/** The chosen facets by group; those that no product has had are ignored. Undefined without any. */
export async function facetsOf(db: Database, sent = ''): Promise<FacetGroups | undefined> {
  const keys = keysIn(sent)
  const known = keys.length > 0 ? await selectFacets(db, keys) : []
  const groups = Map.groupBy(known, (key) => key.split(':')[0])
  return groups.size > 0 ? [...groups.values()] : undefined
}

/**
 * Whether the answer may be kept: combinations, and unknown facets, can be made up without end. The choice is
 * kept in its canonical order alone.
 */
export const isKeptChoice = (sent = '', groups: FacetGroups = []): boolean =>
  sent === '' ||
  (groups.flat().length <= MAX_KEPT_FACETS &&
    groups.flat().sort().map(encodeURIComponent).join() === sent)

/** Writes the facets of products of which an attribute was changed, part by part; lists show them at once. */
export async function refreshStaleFacets(db: Database, closing?: AbortSignal): Promise<void> {
  const refreshPart = () =>
    inTransaction(db, SHOP, async (tx) => {
      const count = await refreshStale(tx)
      if (count > 0) await publishPlans(tx, [])
      return count
    })
  while (!closing?.aborted && (await refreshPart()) > 0);
}
