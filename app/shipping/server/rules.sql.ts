/** SQL that reads the shipping rules inside a statement of checkout. */
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../model.ts'
import type { ShippingRules } from './rates.ts'

/**
 * The zones that may take a place, as JSON: those with places in its country, and the default. Null when
 * there are no zones at all.
 */
export const shippingRules = (place: Place | null): RawBuilder<ShippingRules> =>
  // the planner does not see the country, so that one plan of the prepared statement serves every place
  shippingRulesIn(sql`(select ${place?.country ?? null}::text)`)

/** As `shippingRules`, in the country of an expression in brackets. */
export const shippingRulesIn = (country: RawBuilder<unknown>): RawBuilder<ShippingRules> =>
  sql`(
    select case when count(*) > 0 then jsonb_build_object(
      'vary_by_place', not bool_and(zones.is_default),
      'has_regions', exists (
        select from shipping_places where country = ${country} and region is not null),
      'zones', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'is_default', zones.is_default,
            'places', coalesce((
              select jsonb_agg(jsonb_build_object('country', country, 'region', region))
              from shipping_places
              where zone_id = zones.id and country = ${country}), '[]'),
            'rates', coalesce((
              select jsonb_agg(to_jsonb(rate) - 'zone_id' - 'position' order by position)
              from shipping_rates as rate
              where zone_id = zones.id), '[]'))
          order by zones.id
        ) filter (where zones.is_default or exists (
          select from shipping_places where zone_id = zones.id and country = ${country})),
        '[]')) end
    from shipping_zones as zones)`
