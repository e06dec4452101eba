import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatBy, formatMoney } from '../web/money.ts'
import { moneyFormatsOf } from './money-format.ts'

const CURRENCIES = Intl.supportedValuesOf('currency')

it('writes amounts of every currency as the formatter of browsers does', () => {
  const formats = moneyFormatsOf(CURRENCIES)
  const minorUnits = fc.integer({ min: -1e10, max: 1e10 })
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), minorUnits, (currency, minor) => {
      const format = formats[currency]
      const { digits = 0 } = format ?? {}
      const amount = minor / 10 ** digits
      expect(format && formatBy(format, amount)).toBe(formatMoney(amount, currency))
    }),
    { numRuns: 2000 },
  )
})

it('rounds what has more digits than the currency', () => {
  for (const currency of ['JPY', 'USD']) {
    const { [currency]: format } = moneyFormatsOf([currency])
    for (const amount of [0, 0.5, 1.5, 999.5, 999_999.5, -0.5, 12.345, 1234.567]) {
      expect(format && formatBy(format, amount)).toBe(formatMoney(amount, currency))
    }
  }
})
