import { toMajor, toMinor } from '#app/shared/server/minor-units.ts'
import type { RateKind, ShippingRate, ShippingZone } from '../admin-contract.ts'
import { type Place, placeName, regionLabel } from '../model.ts'
import { daysOf } from './rates.ts'
import type { ZoneRow } from './store.ts'

/** The end of a tier is in grams, or an amount of money. */
const isMoney = (kind: RateKind) => kind === 'amount'

const presentRate = (rate: ZoneRow['rates'][number]): ShippingRate => ({
  _id: rate.id,
  name: rate.name,
  kind: rate.kind,
  ...(rate.price_minor !== null && { price: toMajor(rate.price_minor) }),
  ...(rate.tiers && {
    tiers: rate.tiers.map(({ up_to, price_minor }) => ({
      upTo: up_to !== null && isMoney(rate.kind) ? toMajor(up_to) : up_to,
      price: toMajor(price_minor),
    })),
  }),
  ...(rate.free_from_minor !== null && { freeFrom: toMajor(rate.free_from_minor) }),
  ...daysOf(rate),
})

/** Place names are English. */
const byPlaceName = (one: Place, other: Place) =>
  placeName(one).localeCompare(placeName(other), 'en')

/** A zone as the API returns it. */
export const presentZone = (zone: ZoneRow): ShippingZone => ({
  _id: zone.id,
  name: zone.name,
  isDefault: zone.is_default,
  places: zone.places.toSorted(byPlaceName).map(({ country, region }) => ({
    country,
    ...(region !== null && { region: regionLabel({ country, region }) }),
  })),
  rates: zone.rates.map(presentRate),
  updatedAt: zone.updated_at.toISOString(),
})

/** The columns of a checked rate. */
export function rateColumns({ name, kind, price = 0, tiers = [], freeFrom, days }: ShippingRate) {
  const hasTiers = kind === 'weight' || kind === 'amount'
  const stored = tiers.map(({ upTo, price }) => ({
    up_to: upTo !== null && isMoney(kind) ? toMinor(upTo) : upTo,
    price_minor: toMinor(price),
  }))
  return {
    name: name.trim(),
    kind,
    price_minor: hasTiers ? null : toMinor(price),
    tiers: hasTiers ? JSON.stringify(stored) : null,
    free_from_minor: freeFrom === undefined ? null : toMinor(freeFrom),
    least_days: days?.least ?? null,
    most_days: days?.most ?? null,
  }
}
