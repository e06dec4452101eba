import { sql } from 'kysely'
import type { Coupon } from '#app/coupons/server/coupon.ts'
import { automaticDiscounts } from '#app/coupons/server/quoted.sql.ts'
import { type ProductAsSold, productsAsSold } from '#app/products/server/products-as-sold.sql.ts'
import type { PaymentMethods } from '#app/settings/admin-contract.ts'
import { legalRulesOf } from '#app/settings/legal-model.ts'
import { DEFAULTS, HIDDEN } from '#app/settings/server/defaults.ts'
import { presentVersions } from '#app/settings/server/legal-texts.sql.ts'
import type { Place } from '#app/shipping/model.ts'
import type { ShippingRules } from '#app/shipping/server/rates.ts'
import { shippingRules } from '#app/shipping/server/rules.sql.ts'
import { taxRules } from '#app/taxes/server/rules.sql.ts'
import type { TaxRules } from '#app/taxes/server/tax.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, StoredAgreement } from '#db/schema.ts'
import type { Agreement } from '../contract.ts'

/** The products of a cart, and the rules that depend on the place of the delivery. */
type Prices = {
  /** The shop's, ISO 4217. */
  currency: string
  products: ProductAsSold[]
  shipping: ShippingRules
  taxes: TaxRules
  methods: PaymentMethods
  /** Empty unless they are read for somebody. */
  automatic: Coupon[]
  /** The versions of the legal texts to which buyers agree. */
  agreements: Agreement[]
}

type PricesRow = Omit<Prices, 'currency' | 'methods' | 'agreements'> & {
  currency: string | null
  methods: PaymentMethods | null
  country: string | null
  texts: StoredAgreement | null
}

/** The texts that the law of the seller's country asks to agree to, as far as the shop has them. */
const agreementsOf = (country: string, texts: StoredAgreement): Agreement[] =>
  legalRulesOf(country).agreed.flatMap((page) => {
    const version = texts[page]
    return version === undefined ? [] : [{ page, version }]
  })

/** Reads what a quote needs in one statement; each domain has a column of it. */
export async function selectPrices(
  db: Database,
  ids: string[],
  place: Place | null,
  automaticFor: { buyerId: string | undefined } | null = null,
): Promise<Prices> {
  const automatic = automaticFor ? automaticDiscounts(automaticFor.buyerId) : sql`'[]'::jsonb`
  const { rows } = await sql<PricesRow>`
    ${PREPARED} select ${productsAsSold(ids)} as products, ${shippingRules(place)} as shipping,
      ${taxRules(place)} as taxes,
      (select currency from settings where name = 'shop') as currency,
      (select payment_methods from settings where name = 'shop') as methods,
      (select country from settings where name = 'shop') as country, ${presentVersions} as texts,
      ${automatic} as automatic`.execute(db)
  const [prices] = rows
  if (!prices) throw new Error('The prices could not be read.')
  const { currency, country, texts, methods, ...others } = prices
  // settings of before 0.4.0 have none
  return {
    ...others,
    currency: currency ?? DEFAULTS.currencyDisplay,
    methods: methods ?? HIDDEN.paymentMethods,
    agreements: agreementsOf(country ?? '', texts ?? {}),
  }
}
