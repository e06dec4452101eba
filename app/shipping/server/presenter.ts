import { toMajor } from '#app/shared/model/minor-units.ts'
import { givenMinor, givenPrice } from '#app/shared/server/input/given-money.ts'
import type { RateKind, ShippingRate, ShippingZone } from '../admin-contract.ts'
import { type Place, placeName, regionLabel } from '../model.ts'
import { daysOf } from './rates.ts'
import type { ZoneRow } from './store.ts'

/** The end of a tier is in grams, or an amount of money. */
const isMoney = (kind: RateKind) => kind === 'amount'

const presentRate =
  (currency: string) =>
  (rate: ZoneRow['rates'][number]): ShippingRate => ({
    _id: rate.id,
    name: rate.name,
    kind: rate.kind,
    ...(rate.price_minor !== null && { price: toMajor(rate.price_minor, currency) }),
    ...(rate.tiers && {
      tiers: rate.tiers.map(({ up_to, price_minor }) => ({
        upTo: up_to !== null && isMoney(rate.kind) ? toMajor(up_to, currency) : up_to,
        price: toMajor(price_minor, currency),
      })),
    }),
    ...(rate.free_from_minor !== null && { freeFrom: toMajor(rate.free_from_minor, currency) }),
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
  rates: zone.rates.map(presentRate(zone.currency)),
  updatedAt: zone.updated_at.toISOString(),
})

/** The columns of a checked rate at `path` of the body. Throws `invalid` for an amount that the currency does not have. */
export function rateColumns(
  { name, kind, price = 0, tiers = [], freeFrom, days }: ShippingRate,
  currency: string,
  path: string,
) {
  const minor = (price: number, field: string) => givenPrice(price, currency, `${path}.${field}`)
  const limit = (upTo: number, at: number) => givenMinor(upTo, currency, `${path}.tiers.${at}.upTo`)
  const hasTiers = kind === 'weight' || kind === 'amount'
  const stored = tiers.map(({ upTo, price }, at) => ({
    up_to: upTo !== null && isMoney(kind) ? limit(upTo, at) : upTo,
    price_minor: minor(price, `tiers.${at}.price`),
  }))
  return {
    name: name.trim(),
    kind,
    price_minor: hasTiers ? null : minor(price, 'price'),
    tiers: hasTiers ? JSON.stringify(stored) : null,
    free_from_minor: freeFrom === undefined ? null : minor(freeFrom, 'freeFrom'),
    least_days: days?.least ?? null,
    most_days: days?.most ?? null,
  }
}
