import { sql } from 'kysely'
import type { ProductAsSold } from '#app/products/server/products-as-sold.sql.ts'
import type { ShippingRules } from '#app/shipping/server/rates.ts'
import { shippingRulesIn } from '#app/shipping/server/rules.sql.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database } from '#db/schema.ts'

type Delivered = {
  /** The country of the shop; empty or null where it is not set. */
  country: string | null
  rules: ShippingRules
  /** What its variants cost and weigh. */
  pieces: Pick<ProductAsSold, 'price_minor' | 'weight_grams'>[]
}

/** What decides how a product is delivered in the country of the shop. */
export async function selectDelivered(db: Database, productId: string): Promise<Delivered> {
  const country = sql`(select country from settings where name = 'shop')`
  const { rows } = await sql<Delivered>`
    ${PREPARED} select ${country} as country, ${shippingRulesIn(country)} as rules,
      (select coalesce(jsonb_agg(distinct jsonb_build_object(
          'price_minor', price_minor, 'weight_grams', weight_grams)), '[]')
        from sellables where product_id = ${productId}) as pieces`.execute(db)
  return rows[0] ?? { country: null, rules: null, pieces: [] }
}
