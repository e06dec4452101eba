import { keysIn, MAX_KEPT_FACETS } from '#app/products/facet-model.ts'
import type { Database } from '#db/schema.ts'
import { publishEdits } from '../publish.ts'
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

/** Writes the facets that an edit of many products left to this job. Lists show them when all are written. */
export async function refreshStaleFacets(db: Database, closing?: AbortSignal): Promise<void> {
  let refreshed = 0
  for (let count = 1; count > 0 && !closing?.aborted; refreshed += count)
    count = await refreshStale(db)
  if (refreshed > 0) await publishEdits(db, [])
}
