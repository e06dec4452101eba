/** What the selects of settings offer. Functions, because the server loads this file, too, and these names cost it 2 MB. */
import type { Option } from '#app/shared/web/form/select.tsx'
import { namedCountries } from '#app/shipping/model.ts'

/** Codes with their names as options, by their names. */
export function named(type: 'currency' | 'language', codes: string): Option[] {
  const names = new Intl.DisplayNames('en', { type })
  return codes
    .split(' ')
    .map((value) => ({ value, label: `${names.of(value)} (${value})` }))
    .sort((one, other) => one.label.localeCompare(other.label))
}

export const currencies = () =>
  named(
    'currency',
    'USD EUR GBP INR AED AUD BHD BRL CAD CHF CLP CNY COP CZK DKK EGP HKD HUF IDR ILS ISK JOD JPY KES KRW KWD LKR MAD MXN MYR NGN NOK NPR NZD OMR PHP PKR PLN PYG QAR RON SAR SEK SGD THB TND TRY TWD UAH UGX VND XAF XOF ZAR',
  )

export const timeZones = (): Option[] =>
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, label: value }))

export const countryOptions = (): Option[] =>
  namedCountries('en').map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))
