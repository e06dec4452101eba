/** The tax of a quote: pure functions of lines, shipping, fee, rules, place and day. Amounts are in minor units. */
import type { Place } from '#app/shipping/model.ts'
import type { Line as QuotedLine, Row, StoredQuote } from '#db/schema.ts'
import type { TaxSettings } from '../admin-contract.ts'

export type TaxRate = Omit<Row<'tax_rates'>, 'id'>

/** The settings, of which the place is that of a quote without one: without a country it has no tax. */
export type TaxRules = Pick<
  TaxSettings,
  'pricesIncludeTax' | 'taxesShipping' | 'shippingClass' | 'country' | 'region'
> & {
  /** The day in the shop's time zone, such as 2026-11-21. */
  today: string
  /** Whether some place has another tax than the default place, or another total. */
  vary_by_place: boolean
  /** Whether a region of the country of the place has a rate of its own. */
  has_regions: boolean
  /** At least the rates that may apply in the place of the quote or in the default place. */
  rates: TaxRate[]
}

type Adjustment = StoredQuote['adjustments'][number]

type Line = Pick<QuotedLine, 'price_minor' | 'quantity' | 'discount_minor'> &
  Pick<Row<'products'>, 'tax_class_id'>

/** The goods and the place for which tax is computed. */
type TaxRequest<Goods extends Line> = {
  lines: Goods[]
  adjustments: Adjustment[]
  /** The place of the delivery; null: the default place. */
  place: Place | null
}

/** The tax of an amount. */
type Tax = { rate: TaxRate; taxMinor: number; basisMinor: number }

const WHOLE = 100_000n

/** The quotient of integers that are not negative, rounded half up. */
const divided = (dividend: bigint, divisor: bigint) =>
  Number((2n * dividend + divisor) / (2n * divisor))

/** The tax that is contained in an amount, or is added to it, rounded half up. */
export function taxOf(amountMinor: number, rate: number, isIncluded: boolean): number {
  const share = BigInt(amountMinor) * BigInt(rate)
  return divided(share, isIncluded ? WHOLE + BigInt(rate) : WHOLE)
}

const defaultPlace = ({ country, region }: TaxRules): Place | null =>
  country === null ? null : { country, region }

/** The rate of a class on a day in a place: that of the region, else that of the country. */
export function rateOf(
  rates: TaxRate[],
  classId: string | null,
  { country, region }: Place,
  day: string,
): TaxRate | undefined {
  const valid = rates.filter(
    (rate) =>
      rate.class_id === classId &&
      rate.country === country &&
      (rate.valid_from ?? day) <= day &&
      day <= (rate.valid_to ?? day),
  )
  const inRegion = region === null ? undefined : valid.find((rate) => rate.region === region)
  return inRegion ?? valid.find((rate) => rate.region === null)
}

/** The name of a rate with its percentage, such as GST 18 %. */
export const labelOf = ({ name, rate }: Pick<TaxRate, 'name' | 'rate'>) =>
  `${name} ${rate / 1000} %`

/** One row for each rate, with the sum of its taxes, which are rounded one by one. */
function rowsOf(taxes: Tax[], isIncluded: boolean): Adjustment[] {
  const byRate = Map.groupBy(taxes, ({ rate }) => labelOf(rate))
  return [...byRate].map(([label, [first, ...others]]) => ({
    kind: 'tax',
    label,
    source: label,
    amount_minor: others.reduce((sum, { taxMinor }) => sum + taxMinor, first?.taxMinor ?? 0),
    is_included: isIncluded,
    tax_minor: 0,
    tax_rate: first?.rate.rate ?? null,
    basis_minor: others.reduce((sum, { basisMinor }) => sum + basisMinor, first?.basisMinor ?? 0),
  }))
}

/**
 * The lines and adjustments with their tax, and a row for each rate. A line is taxed on what is left
 * after its discount; the fee of a way to pay as shipping is. Nothing is taxed in a place without a rate.
 */
export function withTaxes<Goods extends Line>(
  rules: TaxRules,
  { lines, adjustments, place }: TaxRequest<Goods>,
): {
  lines: (Goods & { tax_minor: number; tax_rate: number | null })[]
  adjustments: Adjustment[]
} {
  const where = place ?? defaultPlace(rules)
  const taxes: Tax[] = []
  const taxed = (amountMinor: number, classId: string | null) => {
    const rate = where && rateOf(rules.rates, classId, where, rules.today)
    if (!rate) return { tax_minor: 0, tax_rate: null }
    const taxMinor = taxOf(amountMinor, rate.rate, rules.pricesIncludeTax)
    const basisMinor = rules.pricesIncludeTax ? amountMinor - taxMinor : amountMinor
    taxes.push({ rate, taxMinor, basisMinor })
    return { tax_minor: taxMinor, tax_rate: rate.rate }
  }
  const taxedLines = lines.map((line) => ({
    ...line,
    ...taxed(line.price_minor * line.quantity - line.discount_minor, line.tax_class_id),
  }))
  const others = adjustments.map((row) =>
    (row.kind === 'shipping' || row.kind === 'fee') && rules.taxesShipping
      ? { ...row, ...taxed(row.amount_minor, rules.shippingClass) }
      : row,
  )
  const rows = rowsOf(taxes, rules.pricesIncludeTax)
  return { lines: taxedLines, adjustments: [...others, ...rows] }
}
