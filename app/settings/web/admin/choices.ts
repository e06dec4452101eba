/** Suggestions for fields of the settings that take a code: others can be typed. */

export type Choice = { code: string; name: string }

const CURRENCIES =
  'USD EUR GBP INR AUD BRL CAD CHF CNY CZK DKK EGP HKD IDR ILS KES LKR MAD MXN MYR NGN NOK NPR NZD PHP PKR PLN RON SAR SEK SGD THB TRY UAH AED ZAR'
const LOCALES =
  'en-US en-GB en-IN en-AU en-CA de-DE de-AT de-CH fr-FR fr-CH fr-CA es-ES es-MX it-IT it-CH pt-BR pt-PT nl-NL nl-BE da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ ro-RO tr-TR uk-UA el-GR he-IL ar-EG ar-AE hi-IN bn-IN ta-IN id-ID ms-MY th-TH zh-CN zh-HK'

const choicesOf = (type: 'currency' | 'language', codes: string): Choice[] => {
  const names = new Intl.DisplayNames('en', { type })
  return codes.split(' ').map((code) => ({ code, name: names.of(code) ?? code }))
}

/** Currencies with two decimals. */
export const currencyChoices = () => choicesOf('currency', CURRENCIES)

export const localeChoices = () => choicesOf('language', LOCALES)
