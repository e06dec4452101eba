/** Problems of a shipping zone. Form and server check the same rules. */
import type { ShippingRate, ShippingZone, ZoneForm } from './admin-contract.ts'
import { isCountry, isUnknownRegion, type Place, placeName, placeOf } from './places-contract.ts'

/** A problem, with the name of its field, such as `rates.0.tiers.1.upTo`. */
export type Problem = { field: string; message: string }

const folded = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()

const keyOf = ({ country, region }: Place) => `${country} ${region ?? ''}`

/** The index of the first entry that equals an earlier one; -1 when all differ. */
const firstRepeated = (keys: string[]) => keys.findIndex((key, at) => keys.indexOf(key) < at)

/** Whether a number can be stored; a form has NaN where nothing valid was entered. */
const isPrice = (price: number | undefined) => price !== undefined && Number.isFinite(price)

function placeProblem(places: Place[], isDefault: boolean): Problem | null {
  const unknown = places.findIndex(({ country }) => !isCountry(country))
  if (unknown >= 0) return { field: `places.${unknown}`, message: 'Please choose a country.' }
  const odd = places.findIndex(isUnknownRegion)
  if (odd >= 0) return { field: `places.${odd}`, message: 'Please choose a state or region.' }
  const repeated = firstRepeated(places.map(keyOf))
  const place = places[repeated]
  if (place) return { field: `places.${repeated}`, message: `${placeName(place)} is here twice.` }
  if (places.length > 0 || isDefault) return null
  return { field: 'places', message: 'Add a place, or make this the default zone.' }
}

/** The problem of a tier that begins where the one before ends. */
function tierProblem({ kind, tiers = [] }: ShippingRate, at: number): [string, string] | null {
  const tier = tiers[at]
  const before = at === 0 ? undefined : tiers[at - 1]?.upTo
  if (!isPrice(tier?.price)) return ['price', 'Enter a price with at most two decimals.']
  if (before === null) return ['upTo', 'The tier above has no end: it overlaps with this one.']
  if (tier?.upTo === null || tier === undefined) return null
  if (!Number.isFinite(tier.upTo)) return ['upTo', 'Enter a number, or nothing for no end.']
  if (kind === 'weight' && !Number.isInteger(tier.upTo)) return ['upTo', 'Enter whole grams.']
  if (before !== undefined && tier.upTo <= before)
    return [
      'upTo',
      `Enter more than ${before}: the tier above ends there, and tiers do not overlap.`,
    ]
  return null
}

function rateProblem(rate: ShippingRate): Problem | null {
  if (rate.name.trim() === '') return { field: 'name', message: 'Enter a name.' }
  if (rate.freeFrom !== undefined && !isPrice(rate.freeFrom))
    return { field: 'freeFrom', message: 'Enter an amount, or nothing.' }
  const isFree = rate.kind === 'pickup' && rate.price === undefined
  if (rate.kind === 'flat' || rate.kind === 'pickup')
    return isFree || isPrice(rate.price)
      ? null
      : { field: 'price', message: 'Enter a price with at most two decimals.' }
  if (!rate.tiers?.length) return { field: 'tiers', message: 'Add a tier.' }
  for (const at of rate.tiers.keys()) {
    const problem = tierProblem(rate, at)
    if (problem) return { field: `tiers.${at}.${problem[0]}`, message: problem[1] }
  }
  return null
}

function ratesProblem(rates: ShippingRate[]): Problem | null {
  if (rates.length === 0) return { field: 'rates', message: 'Add a rate.' }
  for (const [at, rate] of rates.entries()) {
    const problem = rateProblem(rate)
    if (problem) return { ...problem, field: `rates.${at}.${problem.field}` }
  }
  const repeated = firstRepeated(rates.map(({ name }) => folded(name)))
  if (repeated < 0) return null
  return { field: `rates.${repeated}.name`, message: 'Another rate of this zone has this name.' }
}

/** The first problem of a zone by itself; null when there is none. */
export function zoneProblem({ name, isDefault, places, rates }: ZoneForm): Problem | null {
  if (name.trim() === '') return { field: 'name', message: 'Enter a name.' }
  return placeProblem(places.map(placeOf), isDefault) ?? ratesProblem(rates)
}

type Other = Pick<ShippingZone, 'name' | 'isDefault' | 'places'>

/** The first conflict of a zone with the others; null when there is none. */
export function zoneConflict(zone: ZoneForm, others: Other[]): Problem | null {
  const namesake = others.find(({ name }) => folded(name) === folded(zone.name))
  if (namesake) return { field: 'name', message: `A zone named ${namesake.name} exists already.` }
  const other = zone.isDefault ? others.find(({ isDefault }) => isDefault) : undefined
  if (other) return { field: 'isDefault', message: `${other.name} is the default zone already.` }
  const owners = new Map(
    others.flatMap(({ name, places }) => places.map((place) => [keyOf(placeOf(place)), name])),
  )
  for (const [at, place] of zone.places.map(placeOf).entries()) {
    const owner = owners.get(keyOf(place))
    if (owner)
      return { field: `places.${at}`, message: `${placeName(place)} is in the zone ${owner}.` }
  }
  return null
}
