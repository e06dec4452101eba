/** Amounts of money as a person writes them in the shop's locale. */
import { toMajor, toMinor } from './minor-units.ts'
import type { MoneyFormat } from './shop-settings.ts'
import { STRIPPED } from './visible-text.ts'

/** The format of a shop whose settings could not be loaded. */
export const PLAIN_FORMAT: MoneyFormat = {
  affixes: ['', ''],
  negativeAffixes: ['-', ''],
  decimal: '.',
  digits: 2,
  group: ',',
  groupSizes: [3, 3],
  leastGrouped: 4,
  numerals: '0123456789',
}

const WORDS = ['without decimals', 'with at most one decimal', 'with at most two decimals']

/** How many decimals an amount may have, after 'an amount'. */
export const decimalsText = (decimals: number): string =>
  WORDS[decimals] ?? `with at most ${decimals === 3 ? 'three' : decimals} decimals`

/** Whether an amount in major units has no more decimals than its currency. */
export const isInUnits = (major: number, currency: string): boolean =>
  toMajor(toMinor(major, currency), currency) === major

const numeralsOf = ({ numerals }: MoneyFormat) => [...numerals]

/** An amount (major units) as a person would type it: without the currency and without groups. */
export function moneyText(amount: number, format: MoneyFormat): string {
  const glyphs = numeralsOf(format)
  return amount
    .toFixed(format.digits)
    .replace('.', format.decimal)
    .replace(/\d/g, (digit) => glyphs[Number(digit)] ?? digit)
}

/** The amount in major units: null for an empty text, NaN with the problem for one that is refused. */
type ParsedMoney = { amount: number | null; problem: string | null }

const refused = (problem: string): ParsedMoney => ({ amount: Number.NaN, problem })

/** Separators that can only be one between groups, of any language: as one blank. */
const GROUP_ONLY = /[\s\u00a0\u202f\u2009'’\u066c]/g
/** A currency before or after the number: a sign, or letters. */
const CURRENCY = /^(?:[\p{L}\p{Sc}.]*[\p{L}\p{Sc}]\.?)?\s*|\s*(?:[\p{L}\p{Sc}][\p{L}\p{Sc}.]*)?$/gu

/** The text with ASCII digits, `,` or `.` between groups and decimals, and a blank between groups only. */
function normalized(text: string, format: MoneyFormat): string {
  const glyphs = numeralsOf(format)
  return STRIPPED.code(text)
    .replace(/\p{Nd}/gu, (digit) => {
      const value = glyphs.indexOf(digit)
      return value < 0 ? digit : String(value)
    })
    .trim()
    .replace(CURRENCY, '')
    .replaceAll('٫', '.')
    .replace(GROUP_ONLY, ' ')
}

/** Whether whole digits are grouped by threes, or as the locale does: by twos before the last three. */
const isGrouped = (whole: string, group: string) => {
  const [first = '', ...others] = whole.split(group)
  const last = others.at(-1)
  const isBy = (size: number) =>
    first.length <= size && others.slice(0, -1).every(({ length }) => length === size)
  return !first.startsWith('0') && first !== '' && last?.length === 3 && (isBy(3) || isBy(2))
}

/** A separator of decimals. */
export type DecimalMark = '.' | ','

/** Facts about the numbers beside their texts: they decide between thousands and a fraction. */
type NumberHints = {
  /** The separator of decimals, where other numbers show it. */
  decimal?: DecimalMark | null
  /** The separator between groups. */
  group?: string | null
}

/** The separator of the decimals, if the text has any; undefined where it can be read in two ways. */
function decimalOf(
  text: string,
  format: MoneyFormat,
  { decimal, group }: NumberHints,
): DecimalMark | null | undefined {
  const { digits } = format
  const marks = [...text.replace(/[\d ]/g, '')] as DecimalMark[]
  const last = marks.at(-1)
  if (last === undefined) return null
  // the same mark several times is that between groups; the last of two different ones is that of decimals
  if (marks.indexOf(last) < marks.length - 1) return null
  const decimals = text.length - text.lastIndexOf(last) - 1
  const isAlone = marks.length === 1 && !text.includes(' ')
  if (!isAlone || decimals !== 3 || decimal === last) return last
  if ((decimal || last === group) && isGrouped(text, last)) return null
  // an amount without decimals has no second reading: the rules refuse the fraction
  if (digits === 0) return last
  return digits > 2 && last === format.decimal.replace('٫', '.') ? last : undefined
}

const NUMBER = /^[\d., ]*\d[\d., ]*$/

/**
 * The number that a text without a currency represents; both readings of one that could be thousands or a
 * fraction, as the locale writes them; null for what is none.
 */
export function readNumber(
  typed: string,
  format: MoneyFormat,
  hints: NumberHints,
): number | [thousands: string, fraction: string] | null {
  const text = normalized(typed, format)
  if (!NUMBER.test(text)) return null
  const decimal = decimalOf(text, format, hints)
  if (decimal === undefined) return readingsOf(text, format)
  const parts = partsOf(text, decimal)
  return parts && Number(`${parts.whole}.${parts.fraction}`)
}

/** The separator of decimals that a number shows by itself; null where it shows none. */
export function shownDecimal(typed: string, format: MoneyFormat): DecimalMark | null {
  const text = normalized(typed, format)
  if (!NUMBER.test(text)) return null
  const decimal = decimalOf(text, format, {})
  if (decimal === undefined || !partsOf(text, decimal)) return null
  const [group] = text.replace(/[\d ]/g, '')
  if (decimal === null && group) return group === '.' ? ',' : '.'
  return decimal
}

/** The whole digits and those of the fraction; null where the groups are none. */
function partsOf(text: string, decimal: DecimalMark | null) {
  const at = decimal === null ? text.length : text.lastIndexOf(decimal)
  const whole = text.slice(0, at)
  const fraction = text.slice(at + 1)
  const [group] = whole.replace(/\d/g, '')
  const isNumber = /^\d*$/.test(fraction) && (group === undefined || isGrouped(whole, group))
  return isNumber ? { whole: whole.replace(/\D/g, ''), fraction } : null
}

/** A number that can be read in two ways, as thousands and as a fraction with the decimals of the currency. */
function readingsOf(text: string, format: MoneyFormat): [string, string] {
  const thousands = moneyText(Number(text.replace(/\D/g, '')), format)
  const fraction = text.replace(',', '.').slice(0, text.length - 3 + format.digits)
  return [thousands, moneyText(Number(fraction), format)]
}

/**
 * Reads an amount with comma or point before its decimals, with or without groups and the currency.
 * A number that could be thousands or a fraction is read as the locale writes it, or refused.
 */
export function parseMoney(typed: string, format: MoneyFormat): ParsedMoney {
  if (typed.trim() === '') return { amount: null, problem: null }
  const { digits } = format
  const example = moneyText(4.9, format)
  const text = normalized(typed, format)
  if (!NUMBER.test(text)) return refused(`Enter an amount, such as ${example}.`)
  const decimal = decimalOf(text, format, { group: format.group })
  if (decimal === undefined) {
    const [thousands, fraction] = readingsOf(text, format)
    return refused(`“${typed.trim()}” can be read in two ways. Enter ${thousands} or ${fraction}.`)
  }
  const parts = partsOf(text, decimal)
  if (!parts) return refused(`Enter an amount, such as ${example}.`)
  if (parts.fraction.length > digits)
    return refused(`Enter an amount ${decimalsText(digits)}, such as ${example}.`)
  return { amount: Number(`${parts.whole}.${parts.fraction}`), problem: null }
}
