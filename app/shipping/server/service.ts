/** Shipping: zones of places with their rates, and delivery addresses. */

import { v7 as uuidv7 } from 'uuid'
import { shopCurrencyOf } from '#app/settings/server/currency.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import {
  conflictFields,
  invalid,
  invalidFields,
  notFound,
  stale,
} from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, StoredAddress } from '#db/schema.ts'
import type { ShippingZone, ZoneForm } from '../admin-contract.ts'
import { zoneConflicts, zoneProblems } from '../admin-model.ts'
import { type DeliveryAddress, type DeliveryPlace, SHIPPING_TAG } from '../contract.ts'
import {
  countryName,
  isCountry,
  isUnknownRegion,
  type Place,
  placeOf,
  regionName,
  regionsOf,
} from '../model.ts'
import { presentZone, rateColumns } from './presenter.ts'
import { ADDRESS_MISSING, type Zone } from './rates.ts'
import {
  deleteZone,
  insertZone,
  lockZones,
  replacePlaces,
  replaceRates,
  selectZones,
  updateZone,
} from './store.ts'

const publish = (tx: Database) => publishChanges(tx, [{ tag: SHIPPING_TAG, stale_ms: 0 }])

const REGION_MISSING = 'Please add your state or region to your address: the total depends on it.'
const BILLING_REGION_MISSING = 'Please add the state or region to the billing address.'

const hasKnownRegions = ({ country }: Place) => regionsOf(country).length > 0

const COUNTRY = 'delivery.country'
const REGION = 'delivery.region'

/** The place of what a body has at a path. Throws `invalid` for a country or a region that there is not. */
export function requirePlace(given: DeliveryPlace, path = 'delivery.'): Place {
  const { country, region = '' } = given
  if (!isCountry(country)) throw invalid('country is not a code of ISO 3166-1.', `${path}country`)
  const place = placeOf(given)
  if (!isUnknownRegion(place)) return place
  const unknown = `there is no “${region.trim()}” in ${countryName(country)}.`
  throw invalid(`Please check the state or region: ${unknown}`, `${path}region`)
}

/** How a part of the total depends on the place of the delivery. */
type PlaceRules = {
  /** Whether it is another one in some other place. */
  vary_by_place: boolean
  /** Whether it is another one in some region of the place's country. */
  has_regions: boolean
}

/** The part of a place that the total depends on, and that is missing; null when the place is complete. */
export function missingPart(place: Place | null, rules: PlaceRules[]): FieldProblem | null {
  if (!rules.some(({ vary_by_place }) => vary_by_place)) return null
  if (place === null) return { field: COUNTRY, message: ADDRESS_MISSING }
  const needsRegion = hasKnownRegions(place) || rules.some(({ has_regions }) => has_regions)
  return needsRegion && place.region === null ? { field: REGION, message: REGION_MISSING } : null
}

/**
 * An address as it is stored, of what a body has at a path. Throws `invalid` for a country or a region that
 * there is not, and without the region in countries whose regions are known.
 */
export function requireAddress(
  given: DeliveryAddress,
  of: 'delivery' | 'billing' = 'delivery',
): StoredAddress {
  const place = requirePlace(given, `${of}.`)
  const { country, region } = place
  if (region === null && hasKnownRegions(place))
    throw invalid(of === 'billing' ? BILLING_REGION_MISSING : REGION_MISSING, `${of}.region`)
  // a region that is not known by a code stays as it was written
  const isCode = region !== null && regionName(country, region) !== region
  return {
    name: given.name.trim(),
    street: given.street.trim(),
    city: given.city.trim(),
    region: isCode ? region : (given.region ?? '').trim(),
    postalCode: (given.postalCode ?? '').trim(),
    country,
    phone: given.phone.trim(),
  }
}

/** All zones by name. */
export const zonesOf = (db: Database): Promise<Zone[]> => selectZones(db)

const noSuchZone = () => notFound('There is no such shipping zone.')

/** Throws `invalid` for a wrong zone, and `conflict` for one that overlaps with another. */
function requireSavable(zone: ZoneForm, others: ShippingZone[]) {
  const problems = zoneProblems(zone)
  if (problems.length > 0) throw invalidFields(problems)
  const conflicts = zoneConflicts(zone, others)
  if (conflicts.length > 0) throw conflictFields(conflicts)
}

/** Replaces the places and the rates of a zone. Rates that it has already keep their ids. */
async function replaceParts(
  tx: Database,
  { places, rates }: ZoneForm,
  before: { id: string; rates: ShippingZone['rates'] },
  currency: string,
) {
  const had = before.rates.map(({ _id }) => _id)
  const rows = rates.map((rate, position) => {
    const id = rate._id?.toLowerCase()
    return {
      id: id !== undefined && had.includes(id) ? id : uuidv7(),
      zone_id: before.id,
      position,
      ...rateColumns(rate, currency, `rates.${position}`),
    }
  })
  await replacePlaces(tx, before.id, places.map(placeOf))
  await replaceRates(tx, before.id, rows)
}

type Edit = { zone: ZoneForm; id?: string }

/**
 * Creates a zone, or replaces the one with this id with its places and rates. Throws `invalid` for a wrong
 * zone, `conflict` for one that overlaps, and for an edit `not_found`, and `stale` when the zone was edited
 * since the editor read it.
 */
export const saveZone = (db: Database, actor: Actor, { zone, id: given }: Edit) =>
  inTransaction(db, actor, async (tx): Promise<ShippingZone> => {
    const id = given?.toLowerCase() ?? uuidv7()
    await lockZones(tx)
    const zones = (await selectZones(tx)).map(presentZone)
    const before = zones.find(({ _id }) => _id === id)
    if (given !== undefined && !before) throw noSuchZone()
    if (before && zone.updatedAt !== undefined && zone.updatedAt !== before.updatedAt)
      throw stale('This shipping zone was changed in the meantime. Please load it again.')
    requireSavable(
      zone,
      zones.filter((one) => one !== before),
    )
    const row = { id, name: zone.name.trim(), is_default: zone.isDefault }
    await (before ? updateZone(tx, row) : insertZone(tx, row))
    await replaceParts(tx, zone, { id, rates: before?.rates ?? [] }, await shopCurrencyOf(tx))
    await publish(tx)
    const saved = (await selectZones(tx)).find((one) => one.id === id)
    if (!saved) throw new Error(`The shipping zone ${id} was not saved.`)
    return presentZone(saved)
  })

/** Deletes a zone with its places and rates. Throws `not_found`. */
export const removeZone = (db: Database, actor: Actor, id: string): Promise<void> =>
  inTransaction(db, actor, async (tx) => {
    if (!(await deleteZone(tx, id))) throw noSuchZone()
    await publish(tx)
  })
