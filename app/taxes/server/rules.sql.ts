/** SQL that reads the tax rules inside a statement of checkout. */
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '#app/shipping/places-contract.ts'
import type { TaxRules } from './tax.ts'

/**
 * The settings as JSON, with the rates that may hold in a place or, where it is null, in the default
 * place. Without settings, prices include tax.
 */
export const taxRules = (place: Place | null): RawBuilder<TaxRules> => {
  // the planner does not see the place, so that one plan of the prepared statement serves every place
  const country = place ? sql`(select ${place.country}::text)` : sql`settings.default_country`
  const region = place ? sql`(select ${place.region}::text)` : sql`settings.default_region`
  return sql`(
    select jsonb_build_object(
      'prices_include_tax', coalesce(settings.prices_include_tax, true),
      'taxes_shipping', coalesce(settings.taxes_shipping, true),
      'shipping_class_id', settings.shipping_class_id,
      'default_country', settings.default_country,
      'default_region', settings.default_region,
      'rates', coalesce((
        select jsonb_agg(to_jsonb(rates) - 'id' order by rates.id)
        from tax_rates as rates
        where rates.country = ${country} and (rates.region is null or rates.region = ${region})),
        '[]'))
    from (select) as one left join tax_settings as settings on true)`
}
