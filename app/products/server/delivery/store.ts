import { sql } from 'kysely'
import type { Settings } from '#app/settings/admin-contract.ts'
import { DEFAULTS } from '#app/settings/server/defaults.ts'
import type { ShippingRules } from '#app/shipping/server/rates.ts'
import { shippingRulesIn } from '#app/shipping/server/rules.sql.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database } from '#db/schema.ts'
import type { ProductAsSold } from '../products-as-sold.sql.ts'
import { priceOf } from '../variants/price.sql.ts'

type Delivered = {
  /** The country of the shop, which is empty where it is not set, and how it shows prices. */
  settings: Pick<Settings, 'country' | 'currencyDisplay' | 'locale'>
  rules: ShippingRules
  /** What its variants cost and weigh. */
  pieces: Pick<ProductAsSold, 'price_minor' | 'weight_grams'>[]
}

/** What decides how a product is delivered in the country of the shop. */
export async function selectDelivered(db: Database, productId: string): Promise<Delivered> {
  const { rows } = await sql<Delivered>`
    ${PREPARED} select (
        select jsonb_strip_nulls(jsonb_build_object('country', country,
          'currencyDisplay', value -> 'currencyDisplay', 'locale', value -> 'locale'))
        from settings where name = 'shop') as settings,
      ${shippingRulesIn(sql`(select country from settings where name = 'shop')`)} as rules,
      (select coalesce(jsonb_agg(distinct jsonb_build_object(
          'price_minor', ${priceOf()}, 'weight_grams', weight_grams)), '[]')
        from variants where product_id = ${productId}) as pieces`.execute(db)
  const [{ settings, rules, pieces } = { settings: null, rules: null, pieces: [] }] = rows
  return { settings: { ...DEFAULTS, ...settings }, rules, pieces }
}
