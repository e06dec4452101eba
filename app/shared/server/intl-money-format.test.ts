import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatMoneyBy } from '../model/format-money.ts'
import { decimalsOf, toMajor } from '../model/minor-units.ts'
import { moneyFormatOf } from './intl-money-format.ts'

const CURRENCIES = Intl.supportedValuesOf('currency')

/** Other separators, sizes of groups, digits, signs, and places of the symbol. */
const LOCALES =
  'ar-EG bg-BG bn-BD cs-CZ da-DK de-AT de-CH de-DE el-GR en-GB en-IN en-US en-ZA es-ES es-MX et-EE fa-IR fi-FI fr-CA fr-CH fr-FR he-IL hi-IN hr-HR hu-HU id-ID it-IT ja-JP ko-KR lt-LT lv-LV mr-IN my-MM nb-NO ne-NP nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sv-SE sw-KE ta-IN th-TH tr-TR uk-UA ur-PK vi-VN zh-CN'.split(
    ' ',
  )

const formatted = (amount: number, currency: string, locale: string) =>
  formatMoneyBy(moneyFormatOf(locale, currency), amount)

/** With the decimals of ISO 4217: those of browsers differ for some currencies, such as HUF. */
const formattedByIntl = (amount: number, currency: string, locale: string) => {
  const digits = decimalsOf(currency)
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...decimals }).format(amount)
}

it('writes amounts of every currency and locale as the formatter of browsers does', () => {
  const minorUnits = fc.oneof(
    fc.integer({ min: -1e12, max: 1e12 }),
    fc.integer({ min: -2e6, max: 2e6 }),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...CURRENCIES),
      fc.constantFrom(...LOCALES),
      minorUnits,
      (currency, locale, minor) => {
        const amount = toMajor(minor, currency)
        expect(formatted(amount, currency, locale)).toBe(formattedByIntl(amount, currency, locale))
      },
    ),
    { numRuns: 3000 },
  )
})

it.each([
  ['en-US', 'USD', '-$1,234,567.50'],
  ['de-DE', 'EUR', '-1.234.567,50\u00a0€'],
  ['en-IN', 'INR', '-₹12,34,567.50'],
  ['nl-NL', 'EUR', '€\u00a0-1.234.567,50'],
])('writes amounts in %s', (locale, currency, expected) => {
  expect(formatted(-1_234_567.5, currency, locale)).toBe(expected)
})

it('rounds what has more digits than the currency', () => {
  for (const currency of ['JPY', 'USD']) {
    for (const amount of [0, 0.5, 1.5, 999.5, 999_999.5, -0.5, 12.345, 1234.567]) {
      expect(formatted(amount, currency, 'en-US')).toBe(formattedByIntl(amount, currency, 'en-US'))
    }
  }
})
