/** SQL that reads the tax rules inside a statement of checkout. */
import { type RawBuilder, sql } from 'kysely'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import type { Place } from '#app/shipping/model.ts'
import { DEFAULTS } from './presenter.ts'
import type { TaxRules } from './tax.ts'

const DEFAULT_SETTINGS = sql.lit(JSON.stringify(DEFAULTS))
/** The settings that a quote does not need. */
const SELLER = sql.lit('{sellerName,sellerAddress,sellerTaxNumber}')

/**
 * The settings as JSON, with the rates that may apply in a place, and those of the default place. The planner
 * does not see the place, so that one plan of the prepared statement serves every place.
 */
export const taxRules = (place: Place | null): RawBuilder<TaxRules> => {
  const country = sql`(select ${place?.country ?? null}::text)`
  return sql`(
  select (${DEFAULT_SETTINGS}::jsonb || coalesce(value, '{}')) - ${SELLER}::text[] || jsonb_build_object(
    'today', ${dayOf(sql`now()`)},
    'vary_by_place', exists (
      select from tax_rates
      where country is distinct from value ->> 'country' or region is not null
        or (rate > 0 and not (value -> 'pricesIncludeTax')::boolean)),
    'has_regions', exists (
      select from tax_rates where country = ${country} and region is not null),
    'rates', coalesce((
      select jsonb_agg(to_jsonb(rates) - 'id' order by rates.id)
      from tax_rates as rates
      where rates.country in (${country}, value ->> 'country')
        and (rates.region is null
          or rates.region in ((select ${place?.region ?? null}::text), value ->> 'region'))),
      '[]'))
  from (select) as one left join settings on name = 'taxes')`
}
