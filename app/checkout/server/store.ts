import { sql } from 'kysely'
import { type ProductAsSold, productsAsSold } from '#app/products/server/products-as-sold.sql.ts'
import type { Place } from '#app/shipping/model.ts'
import type { ShippingRules } from '#app/shipping/server/rates.ts'
import { shippingRules } from '#app/shipping/server/rules.sql.ts'
import { taxRules } from '#app/taxes/server/rules.sql.ts'
import type { TaxRules } from '#app/taxes/server/tax.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database } from '#db/schema.ts'

/** The products of a cart, and the rules that depend on the place of the delivery. */
type Prices = { products: ProductAsSold[]; shipping: ShippingRules; taxes: TaxRules }

/** Reads what a quote needs in one statement; each domain has a column of it. */
export async function selectPrices(db: Database, ids: string[], place: Place | null) {
  const { rows } = await sql<Prices>`
    ${PREPARED} select ${productsAsSold(ids)} as products, ${shippingRules(place)} as shipping,
      ${taxRules(place)} as taxes`.execute(db)
  const [prices] = rows
  if (!prices) throw new Error('The prices could not be read.')
  return prices
}
