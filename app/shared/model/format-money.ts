import type { MoneyFormat } from './shop-settings.ts'

/** Whole digits with a separator between their groups. */
function groupedBy({ group, groupSizes, leastGrouped }: MoneyFormat, whole: string): string {
  if (group === '' || whole.length < leastGrouped) return whole
  const [last = 3, other = last] = groupSizes
  const before = new RegExp(`\\B(?=(?:\\d{${other}})*$)`, 'g')
  return whole.slice(0, -last).replace(before, group) + group + whole.slice(-last)
}

/** Formats a number of zero or more, written as JavaScript does, without the currency. */
export function formatDigitsBy(format: MoneyFormat, digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const number =
    groupedBy(format, whole) + (fraction === undefined ? '' : format.decimal + fraction)
  const glyphs = [...format.numerals]
  return number.replace(/\d/g, (digit) => glyphs[Number(digit)] ?? digit)
}

/** Formats an amount (major units) as `Intl.NumberFormat` does. */
export function formatMoneyBy(format: MoneyFormat, amount: number): string {
  const [before, after] = amount < 0 ? format.negativeAffixes : format.affixes
  return before + formatDigitsBy(format, Math.abs(amount).toFixed(format.digits)) + after
}
