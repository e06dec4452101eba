import { sql } from 'kysely'
import type { Place } from '#app/shipping/places-contract.ts'
import { shippingRules } from '#app/shipping/server/rules.sql.ts'
import type { ShippingRules } from '#app/shipping/server/service.ts'
import { taxRules } from '#app/taxes/server/rules.sql.ts'
import type { TaxRules } from '#app/taxes/server/service.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database } from '#db/schema.ts'

/** The rules that depend on the place of the delivery. */
export type Rules = { shipping: ShippingRules; taxes: TaxRules }

/** Reads the rules of a place in one statement; each domain has a column of it. */
export async function selectRules(db: Database, place: Place | null): Promise<Rules> {
  const { rows } = await sql<Rules>`
    ${PREPARED} select ${shippingRules(place)} as shipping, ${taxRules(place)} as taxes`.execute(db)
  const [rules] = rows
  if (!rules) throw new Error('The rules could not be read.')
  return rules
}
