import { keysIn, MAX_KEPT_FACETS } from '#app/products/facet-model.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { countRequest, keyOf } from '#app/shared/server/limits/limits.ts'
import type { Database } from '#db/schema.ts'
import { publishPlans } from '../publish.ts'
import { type FacetGroups, refreshStale, selectFacets } from './store.ts'

/** The most lists in a minute whose facets are not cached: of an IPv4 address or /64, a /56 and a /48. */
const MAX_COMBINATIONS = [100, 150, 200]

/** The chosen facets by group; those that no product has had are ignored. Undefined without any. */
async function facetsOf(db: Database, sent: string): Promise<FacetGroups | undefined> {
  const keys = keysIn(sent)
  const known = keys.length > 0 ? await selectFacets(db, keys) : []
  const groups = Map.groupBy(known, (key) => key.split(':')[0])
  return groups.size > 0 ? [...groups.values()] : undefined
}

/**
 * Whether the answer may be kept: combinations, and unknown facets, can be made up without end. The choice is
 * kept in its canonical order alone.
 */
const isKeptChoice = (sent: string, groups: FacetGroups = []): boolean =>
  sent === '' ||
  (groups.flat().length <= MAX_KEPT_FACETS &&
    groups.flat().sort().map(encodeURIComponent).join() === sent)

/**
 * The chosen facets of a list, and whether its answer may be kept. A list that may not costs several others, and is
 * counted for the address; throws `rate_limited` above the limit.
 */
export async function readFacets(
  { db, counters }: { db: Database; counters: CounterStore },
  { ip }: { ip: string },
  sent = '',
): Promise<{ facets: FacetGroups | undefined; isKept: boolean }> {
  const facets = await facetsOf(db, sent)
  const isKept = isKeptChoice(sent, facets)
  if (!isKept) {
    const counts = networksOf(ip).map((network, width) => ({
      key: keyOf('facets', network),
      max: MAX_COMBINATIONS[width] ?? 0,
      seconds: 60,
    }))
    await countRequest(counters, counts)
  }
  return { facets, isKept }
}

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
