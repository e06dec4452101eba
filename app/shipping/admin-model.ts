/** Problems of a shipping zone. Form and server check the same rules. */
import type { FieldProblem } from '../shared/contract/failure.ts'
import type { ShippingRate, ShippingZone, ZoneForm } from './admin-contract.ts'
import { isCountry, isUnknownRegion, type Place, placeName, placeOf } from './model.ts'

const folded = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()

const keyOf = ({ country, region }: Place) => `${country} ${region ?? ''}`

/** Whether an equal entry is before this one. */
const isRepeated = (keys: string[], at: number) => keys.indexOf(keys[at] ?? '') < at

/** Whether a number can be stored; a form has NaN where nothing valid was entered. */
const isPrice = (price: number | undefined) => price !== undefined && Number.isFinite(price)

type Found = [field: string, message: string | false]

const problemsIn = (found: Found[]): FieldProblem[] =>
  found.flatMap(([field, message]) => (message ? [{ field, message }] : []))

function placeProblems(places: Place[], isDefault: boolean): Found[] {
  const keys = places.map(keyOf)
  return [
    ['places', places.length === 0 && !isDefault && 'Add a place, or make this the default zone.'],
    ...places.map((place, at): Found => {
      if (isUnknownRegion(place)) return [`places.${at}.region`, 'Please choose a state or region.']
      const isTwice = isRepeated(keys, at) && `${placeName(place)} is here twice.`
      const message = isCountry(place.country) ? isTwice : 'Please choose a country.'
      return [`places.${at}.country`, message]
    }),
  ]
}

/** Why the end of a tier is refused, which begins where the one before ends. */
function endProblem({ kind, tiers = [] }: ShippingRate, at: number): string | false {
  const { upTo = null } = tiers[at] ?? {}
  const before = at === 0 ? undefined : tiers[at - 1]?.upTo
  if (before === null) return 'The tier above has no end: it overlaps with this one.'
  if (upTo === null) return false
  if (!Number.isFinite(upTo)) return 'Enter a number, or nothing for no end.'
  if (kind === 'weight' && !Number.isInteger(upTo)) return 'Enter whole grams.'
  return (
    before !== undefined &&
    upTo <= before &&
    `Enter more than ${before}: the tier above ends there, and tiers do not overlap.`
  )
}

function priceProblems(rate: ShippingRate, path: string): Found[] {
  const { kind, price, tiers = [] } = rate
  const isFree = kind === 'pickup' && price === undefined
  if (kind === 'flat' || kind === 'pickup')
    return [[`${path}.price`, !isFree && !isPrice(price) && 'Enter a price.']]
  return [
    [`${path}.tiers`, tiers.length === 0 && 'Add a tier.'],
    ...tiers.flatMap((tier, at): Found[] => [
      [`${path}.tiers.${at}.price`, !isPrice(tier.price) && 'Enter a price.'],
      [`${path}.tiers.${at}.upTo`, endProblem(rate, at)],
    ]),
  ]
}

const MAX_DAYS = 60

const isDays = (days: number) => Number.isInteger(days) && days >= 0 && days <= MAX_DAYS

/** Why days are refused: a form has NaN for one that is missing beside the other. */
function daysProblems({ days }: ShippingRate, path: string): Found[] {
  if (!days) return []
  const { least, most } = days
  const wrong = `Enter whole days from 0 to ${MAX_DAYS}, or nothing in both fields.`
  const isLess = isDays(least) && most < least && `Enter at least ${least}.`
  return [
    [`${path}.days.least`, !isDays(least) && wrong],
    [`${path}.days.most`, isDays(most) ? isLess : wrong],
  ]
}

function rateProblems(rates: ShippingRate[]): Found[] {
  const names = rates.map(({ name }) => folded(name))
  return rates.flatMap((rate, at): Found[] => {
    const { name, freeFrom } = rate
    const path = `rates.${at}`
    const isTaken = isRepeated(names, at) && 'Another rate of this zone has this name.'
    const isWrong = freeFrom !== undefined && !isPrice(freeFrom)
    return [
      [`${path}.name`, name.trim() === '' ? 'Enter a name.' : isTaken],
      ...priceProblems(rate, path),
      [`${path}.freeFrom`, isWrong && 'Enter an amount, or nothing.'],
      ...daysProblems(rate, path),
    ]
  })
}

/** The problems of a zone by itself, in the order of the form. */
export const zoneProblems = ({ name, isDefault, places, rates }: ZoneForm): FieldProblem[] =>
  problemsIn([
    ['name', name.trim() === '' && 'Enter a name.'],
    ...placeProblems(places.map(placeOf), isDefault),
    ['rates', rates.length === 0 && 'Add a rate.'],
    ...rateProblems(rates),
  ])

type Other = Pick<ShippingZone, 'name' | 'isDefault' | 'places'>

/** The conflicts of a zone with the others, in the order of the form. */
export function zoneConflicts(zone: ZoneForm, others: Other[]): FieldProblem[] {
  const namesake = others.find(({ name }) => folded(name) === folded(zone.name))
  const other = zone.isDefault ? others.find(({ isDefault }) => isDefault) : undefined
  const owners = new Map(
    others.flatMap(({ name, places }) => places.map((place) => [keyOf(placeOf(place)), name])),
  )
  return problemsIn([
    ['name', namesake !== undefined && `A zone named ${namesake.name} exists already.`],
    ['isDefault', other !== undefined && `${other.name} is the default zone already.`],
    ...zone.places.map(placeOf).map((place, at): Found => {
      const owner = owners.get(keyOf(place))
      const isTaken = owner !== undefined && `${placeName(place)} is in the zone ${owner}.`
      return [`places.${at}.country`, isTaken]
    }),
  ])
}
