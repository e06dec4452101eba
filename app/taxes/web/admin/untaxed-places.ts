import { placeName } from '#app/shipping/model.ts'
import type { TaxClass, TaxRate } from '#app/taxes/admin-contract.ts'

/** Places named in a sentence; more are counted. */
const MAX_NAMED = 5

const list = new Intl.ListFormat('en')

const holdsOn = (day: string, { validFrom, validTo }: TaxRate) =>
  (validFrom ?? day) <= day && day <= (validTo ?? day)

/**
 * The name of the place of a Standard rate where a class has no rate; null when it has one, or when the
 * rate of a whole country stands for its regions.
 */
function gapOf(standard: TaxRate, standards: TaxRate[], rates: TaxRate[]): string | null {
  const { country, region } = standard
  const own = rates.filter((rate) => rate.country === country)
  if (own.some((rate) => rate.region === null || rate.region === region)) return null
  if (region === null)
    return own.length > 0 ? `the rest of ${placeName(standard)}` : placeName(standard)
  const isCovered = standards.some((rate) => rate.country === country && rate.region === null)
  return isCovered ? null : placeName(standard)
}

function sentenceOf(name: string, places: string[]): string {
  const more = places.length - MAX_NAMED
  const named = more > 1 ? [...places.slice(0, MAX_NAMED), `${more} other places`] : places
  return `${name} has no rate in ${list.format(named)}: its products are not taxed there.`
}

/**
 * A warning for each class that has no rate on a day in places where Standard has one: nothing of it is
 * taxed there.
 */
export function untaxedPlaces(classes: TaxClass[], rates: TaxRate[], day: string): string[] {
  const valid = rates.filter((rate) => holdsOn(day, rate))
  const standards = valid.filter(({ taxClass }) => taxClass === null)
  return classes.flatMap(({ _id, name }) => {
    const own = valid.filter(({ taxClass }) => taxClass === _id)
    const places = standards.flatMap((rate) => gapOf(rate, standards, own) ?? [])
    return places.length > 0 ? [sentenceOf(name, places)] : []
  })
}
