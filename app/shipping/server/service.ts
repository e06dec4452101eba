/** Shipping: zones of places with their rates, and delivery addresses. */
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { conflict, invalid, notFound, stale } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, StoredAddress } from '#db/schema.ts'
import type { DeliveryAddress, DeliveryPlace } from '../address-contract.ts'
import type { ShippingZone, ZoneForm } from '../admin-contract.ts'
import { isCountry, type Place, placeOf, regionName } from '../places-contract.ts'
import { zoneConflict, zoneProblem } from '../problems-contract.ts'
import { SHIPPING_TAG } from '../tags-contract.ts'
import { presentZone, rateColumns } from './presenter.ts'
import {
  deleteZone,
  insertZone,
  lockZones,
  replacePlaces,
  replaceRates,
  selectZones,
  updateZone,
} from './store.ts'

export { mayCharge, type Shipping, type ShippingRules, shippingOf } from './rates.ts'
export { selectZones, type ZoneRow } from './store.ts'

/** Cached answers with shipping rates may be served stale for as long. */
const STALE_MS = 10_000

const publish = (tx: Database) => publishChanges(tx, [{ tag: SHIPPING_TAG, stale_ms: STALE_MS }])

/** The place of a delivery. Throws `invalid` for a country that there is not. */
export function requirePlace(delivery: DeliveryPlace): Place {
  if (!isCountry(delivery.country)) throw invalid('country is not a code of ISO 3166-1.')
  return placeOf(delivery)
}

/** An address as it is stored. Throws `invalid` for a country that there is not. */
export function requireAddress(given: DeliveryAddress): StoredAddress {
  const { country, region } = requirePlace(given)
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

const noSuchZone = () => notFound('There is no such shipping zone.')

/** Throws `invalid` for a wrong zone, and `conflict` for one that overlaps with another. */
function requireSavable(zone: ZoneForm, others: ShippingZone[]) {
  const problem = zoneProblem(zone)
  if (problem) throw invalid(problem.message)
  const clash = zoneConflict(zone, others)
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
