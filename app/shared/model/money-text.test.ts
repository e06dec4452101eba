import { describe, expect, it } from 'vitest'
import { moneyFormatsOf } from '#app/shared/server/intl-money-format.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { formatMoneyBy } from './format-money.ts'
import { toMajor } from './minor-units.ts'
import { moneyText, PLAIN_FORMAT, parseMoney } from './money-text.ts'

const formatOf = (locale: string, currency = 'EUR') =>
  moneyFormatsOf(locale, [currency])[currency] ?? PLAIN_FORMAT
const read = (locale: string, text: string) => parseMoney(text, formatOf(locale)).amount

const LOCALES = [
  ...['en-US', 'en-IN', 'en-ZA', 'de-DE', 'de-CH', 'de-AT', 'fr-FR', 'fr-CH', 'it-IT', 'es-ES'],
  ...['pt-BR', 'pt-PT', 'nl-NL', 'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'pl-PL', 'cs-CZ', 'hu-HU'],
  ...['ru-RU', 'uk-UA', 'tr-TR', 'el-GR', 'hi-IN', 'mr-IN', 'bn-BD', 'ar-EG', 'fa-IR', 'he-IL'],
  ...['ja-JP', 'zh-CN', 'ko-KR', 'th-TH', 'vi-VN', 'id-ID', 'ms-MY', 'lt-LT', 'et-EE', 'bg-BG'],
]

describe('an amount that is written and read again', () => {
  it.each(LOCALES)('is the same in %s', (locale) => {
    const format = formatOf(locale)
    const display = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
    const { next } = seededRandom(7)
    const amounts = Array.from({ length: 300 }, (_, at) => {
      const largest = 10 ** ((at % 9) + 1)
      return Math.floor(next() * largest) / 100
    })
    for (const amount of [0, 0.01, 0.1, 1, 12.3, 999.99, 1000, 1234.5, 1e6, ...amounts]) {
      expect(parseMoney(moneyText(amount, format), format)).toEqual({ amount, problem: null })
      // as the shop shows it, with its sign and its groups
      expect(parseMoney(display.format(amount), format).amount, display.format(amount)).toBe(amount)
    }
  })
})

it('writes amounts in the way of the locale, without groups', () => {
  expect([34.5, 1234.5, 0].map((one) => moneyText(one, formatOf('de-DE')))).toEqual([
    '34,50',
    '1234,50',
    '0,00',
  ])
  expect(moneyText(34.5, formatOf('en-US'))).toBe('34.50')
})

it.each(['en-US', 'de-DE', 'fr-FR', 'de-CH', 'ar-EG'])('reads comma and point in %s', (locale) => {
  const texts = ['4,90', '4.90', ' 4,9 ', '4.9', '€ 4,90', '4,90 €', '4.90 EUR', '.5', ',5', '12,']
  expect(texts.map((text) => read(locale, text))).toEqual([
    ...[4.9, 4.9, 4.9, 4.9, 4.9, 4.9, 4.9, 0.5, 0.5, 12],
  ])
  const grouped = ['1.234,56', '1,234.56', '1 234,56', '1’234.56', "1'234,56", '1.234.567']
  expect(grouped.map((text) => read(locale, text))).toEqual([
    ...[1234.56, 1234.56, 1234.56, 1234.56, 1234.56, 1234567],
  ])
})

it('takes three digits after its own group separator for thousands', () => {
  expect([read('de-DE', '1.234'), read('en-US', '1,234'), read('fr-FR', '1 234')]).toEqual([
    ...[1234, 1234, 1234],
  ])
  expect([read('en-IN', '12,34,567.50'), read('hi-IN', '12,34,567')]).toEqual([1234567.5, 1234567])
})

it.each([
  ['en-US', '1.234', '“1.234” can be read in two ways. Enter 1234.00 or 1.23.'],
  ['de-DE', '1,234', '“1,234” can be read in two ways. Enter 1234,00 or 1,23.'],
  ['fr-FR', '1.234', '“1.234” can be read in two ways. Enter 1234,00 or 1,23.'],
  ['de-DE', '0.500', '“0.500” can be read in two ways. Enter 500,00 or 0,50.'],
  ['de-DE', '4,9012', 'Enter an amount with at most two decimals, such as 4,90.'],
  ['de-DE', '1.234,567', 'Enter an amount with at most two decimals, such as 4,90.'],
  ['en-US', 'many', 'Enter an amount, such as 4.90.'],
  ['en-US', '-4', 'Enter an amount, such as 4.90.'],
  ['en-US', '1e3', 'Enter an amount, such as 4.90.'],
  ['en-US', '4,9,0', 'Enter an amount, such as 4.90.'],
  ['en-US', '12,34.56,78', 'Enter an amount, such as 4.90.'],
  ['en-US', '$', 'Enter an amount, such as 4.90.'],
])('refuses in %s: %s', (locale, text, problem) => {
  expect(parseMoney(text, formatOf(locale, 'USD'))).toEqual({ amount: Number.NaN, problem })
})

it('reads nothing as no amount', () => {
  expect(parseMoney('  ', PLAIN_FORMAT)).toEqual({ amount: null, problem: null })
})

describe('amounts of a currency with another number of decimals', () => {
  const readIn = (locale: string, currency: string, text: string) => {
    const { amount, problem } = parseMoney(text, formatOf(locale, currency))
    return problem ?? amount
  }

  it.each([
    ['en-US', 'JPY', '1250', 1250],
    ['en-US', 'JPY', '¥1,250', 1250],
    ['de-DE', 'JPY', '1.250 ¥', 1250],
    ['en-US', 'JPY', '1.250', 'Enter an amount without decimals, such as 5.'],
    ['ja-JP', 'JPY', '4.9', 'Enter an amount without decimals, such as 5.'],
    ['en-US', 'KWD', '1.250', 1.25],
    ['en-US', 'KWD', '1,250', 1250],
    ['de-DE', 'KWD', '1,255', 1.255],
    ['ar-KW', 'KWD', '١٫٢٥٥', 1.255],
    ['fr-FR', 'KWD', '1.255', '“1.255” can be read in two ways. Enter 1255,000 or 1,255.'],
    ['en-US', 'KWD', '4.9012', 'Enter an amount with at most three decimals, such as 4.900.'],
    ['hu-HU', 'HUF', '1 250,50 Ft', 1250.5],
  ])('are read in %s of %s: %s', (locale, currency, text, expected) => {
    expect(readIn(locale, currency, text)).toBe(expected)
  })

  it.each(['JPY', 'KRW', 'KWD', 'HUF'])('are read as they are written in %s', (currency) => {
    const format = formatOf('en-US', currency)
    for (const units of [1, 12, 999, 1000, 1255, 123_456, 100_000_000]) {
      const amount = toMajor(units, currency)
      expect(parseMoney(moneyText(amount, format), format)).toEqual({ amount, problem: null })
      expect(parseMoney(formatMoneyBy(format, amount), format).amount).toBe(amount)
    }
  })
})
