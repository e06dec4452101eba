/** Rules of taxes that the back office shows: places that are not taxed, and the rates of the European Union. */
import { atFirstUse } from '../shared/model/at-first-use.ts'
import { placeName } from '../shipping/model.ts'
import { STANDARD_CLASS, type TaxClass, type TaxRate } from './admin-contract.ts'

/** The names of the classes by their ids; the id of Standard is empty. */
export const classNames = (classes: TaxClass[]): Record<string, string> => ({
  '': STANDARD_CLASS,
  ...Object.fromEntries(classes.map(({ _id, name }) => [_id, name])),
})

/**
 * The standard VAT rates of the member states of the European Union in percent, as of August 2025:
 * https://taxation-customs.ec.europa.eu/taxation/vat/vat-rates_en. Rates change: an admin checks them.
 */
export const EU_VAT = new Map<string, number>(
  (
    'AT 20, BE 21, BG 20, CY 19, CZ 21, DE 19, DK 25, EE 24, ES 21, FI 25.5, FR 20, GR 24, HR 25, HU 27, ' +
    'IE 23, IT 22, LT 21, LU 17, LV 21, MT 18, NL 21, PL 23, PT 23, RO 21, SE 25, SI 22, SK 23'
  )
    .split(', ')
    .map((one) => [one.slice(0, 2), Number(one.slice(3))]),
)

/** The member states without a Standard rate of any day. */
export const statesWithoutRate = (rates: TaxRate[]): string[] =>
  [...EU_VAT.keys()].filter((code) =>
    rates.every(({ country, taxClass }) => country !== code || taxClass !== null),
  )

/** Places named in a sentence; more are counted. */
const MAX_NAMED = 5

const list = atFirstUse(() => new Intl.ListFormat('en'))

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
  return `${name} has no rate in ${list().format(named)}: its products are not taxed there.`
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
