import type { MoneyFormat } from './shop-settings.ts'

/** Whole digits with a separator between their groups. */
function groupedBy({ group, groupSizes, leastGrouped }: MoneyFormat, whole: string): string {
  if (group === '' || whole.length < leastGrouped) return whole
  const [last = 3, other = last] = groupSizes
  const before = new RegExp(`\\B(?=(?:\\d{${other}})*$)`, 'g')
  return whole.slice(0, -last).replace(before, group) + group + whole.slice(-last)
}

/** Formats an amount (major units) as `Intl.NumberFormat` does. */
export function formatMoneyBy(format: MoneyFormat, amount: number): string {
  const { affixes, negativeAffixes, decimal, digits, numerals } = format
  const [before, after] = amount < 0 ? negativeAffixes : affixes
  const [whole = '', fraction] = Math.abs(amount).toFixed(digits).split('.')
  const glyphs = [...numerals]
  const number = groupedBy(format, whole) + (fraction === undefined ? '' : decimal + fraction)
  return before + number.replace(/\d/g, (digit) => glyphs[Number(digit)] ?? digit) + after
}
