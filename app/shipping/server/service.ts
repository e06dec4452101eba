/** Shipping: zones of places with their rates, and delivery addresses. */
import { v7 as uuidv7 } from 'uuid'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { conflict, invalidFields, notFound, stale } from '#app/shared/server/failure.ts'
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

/** Cached answers with shipping rates may be served stale for as long. */
const STALE_MS = 10_000

const publish = (tx: Database) => publishChanges(tx, [{ tag: SHIPPING_TAG, stale_ms: STALE_MS }])

const REGION_MISSING = 'Please add your state or region to your address: the total depends on it.'

const hasKnownRegions = ({ country }: Place) => regionsOf(country).length > 0

const COUNTRY = 'delivery.country'
const REGION = 'delivery.region'

const refused = (field: string, message: string) => invalidFields([{ field, message }])

/** The place of a delivery. Throws `invalid` for a country or a region that there is not. */
export function requirePlace(delivery: DeliveryPlace): Place {
  const { country, region = '' } = delivery
  if (!isCountry(country)) throw refused(COUNTRY, 'country is not a code of ISO 3166-1.')
  const place = placeOf(delivery)
  if (!isUnknownRegion(place)) return place
  const unknown = `there is no “${region.trim()}” in ${countryName(country)}.`
  throw refused(REGION, `Please check your state or region: ${unknown}`)
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
 * An address as it is stored. Throws `invalid` for a country or a region that there is not, and without
 * the region in countries whose regions are known.
 */
export function requireAddress(given: DeliveryAddress): StoredAddress {
  const place = requirePlace(given)
  const { country, region } = place
  if (region === null && hasKnownRegions(place)) throw refused(REGION, REGION_MISSING)
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
  const [clash] = zoneConflicts(zone, others)
  if (clash) throw conflict(clash.message)
}

/** Replaces the places and the rates of a zone. Rates that it has already keep their ids. */
async function replaceParts(tx: Database, id: string, { places, rates }: ZoneForm, had: string[]) {
  await replacePlaces(tx, id, places.map(placeOf))
  await replaceRates(
    tx,
    id,
    rates.map(({ _id, ...rate }, position) => ({
      id: _id !== undefined && had.includes(_id.toLowerCase()) ? _id.toLowerCase() : uuidv7(),
      zone_id: id,
      position,
      ...rateColumns(rate),
    })),
  )
}

async function selectSaved(tx: Database, id: string): Promise<ShippingZone> {
  const saved = (await selectZones(tx)).find((zone) => zone.id === id)
  if (!saved) throw new Error(`The shipping zone ${id} was not saved.`)
  return presentZone(saved)
}

/** Creates a zone. Throws `invalid` for a wrong zone, and `conflict` for one that overlaps. */
export const addZone = (db: Database, actor: Actor, zone: ZoneForm): Promise<ShippingZone> =>
  inTransaction(db, actor, async (tx) => {
    await lockZones(tx)
    requireSavable(zone, (await selectZones(tx)).map(presentZone))
    const id = uuidv7()
    await insertZone(tx, { id, name: zone.name.trim(), is_default: zone.isDefault })
    await replaceParts(tx, id, zone, [])
    await publish(tx)
    return selectSaved(tx, id)
  })

/**
 * Replaces a zone with its places and rates. Throws `not_found`, `stale` when it was edited since the
 * editor read it, and as `addZone` does.
 */
export const changeZone = (
  db: Database,
  actor: Actor,
  { id: given, zone }: { id: string; zone: ZoneForm },
): Promise<ShippingZone> =>
  inTransaction(db, actor, async (tx) => {
    const id = given.toLowerCase()
    await lockZones(tx)
    const zones = (await selectZones(tx)).map(presentZone)
    const before = zones.find(({ _id }) => _id === id)
    if (!before) throw noSuchZone()
    if (zone.updatedAt !== undefined && zone.updatedAt !== before.updatedAt)
      throw stale('This shipping zone was changed in the meantime. Please load it again.')
    requireSavable(
      zone,
      zones.filter(({ _id }) => _id !== id),
    )
    await updateZone(tx, { id, name: zone.name.trim(), is_default: zone.isDefault })
    await replaceParts(
      tx,
      id,
      zone,
      before.rates.flatMap(({ _id }) => _id ?? []),
    )
    await publish(tx)
    return selectSaved(tx, id)
  })

/** Deletes a zone with its places and rates. Throws `not_found`. */
export const removeZone = (db: Database, actor: Actor, id: string): Promise<void> =>
  inTransaction(db, actor, async (tx) => {
    if (!(await deleteZone(tx, id))) throw noSuchZone()
    await publish(tx)
  })
