import { sql } from 'kysely'
import { type ProductAsSold, productsAsSold } from '#app/products/server/products-as-sold.sql.ts'
import type { PaymentMethods } from '#app/settings/admin-contract.ts'
import { HIDDEN } from '#app/settings/server/defaults.ts'
import type { Place } from '#app/shipping/model.ts'
import type { ShippingRules } from '#app/shipping/server/rates.ts'
import { shippingRules } from '#app/shipping/server/rules.sql.ts'
import { taxRules } from '#app/taxes/server/rules.sql.ts'
import type { TaxRules } from '#app/taxes/server/tax.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database } from '#db/schema.ts'

/** The products of a cart, and the rules that depend on the place of the delivery. */
type Prices = {
  products: ProductAsSold[]
  shipping: ShippingRules
  taxes: TaxRules
  methods: PaymentMethods
}

/** Reads what a quote needs in one statement; each domain has a column of it. */
export async function selectPrices(
  db: Database,
  ids: string[],
  place: Place | null,
): Promise<Prices> {
  const { rows } = await sql<Omit<Prices, 'methods'> & { methods: PaymentMethods | null }>`
    ${PREPARED} select ${productsAsSold(ids)} as products, ${shippingRules(place)} as shipping,
      ${taxRules(place)} as taxes,
      (select payment_methods from settings where name = 'shop') as methods`.execute(db)
  const [prices] = rows
  if (!prices) throw new Error('The prices could not be read.')
  // settings of before 0.4.0 have none
  return { ...prices, methods: prices.methods ?? HIDDEN.paymentMethods }
}
