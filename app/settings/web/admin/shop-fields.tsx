import { memo, use, useId } from 'react'
import { Checkbox } from '#app/back-office/fields.tsx'
import { pictureUrl } from '#app/settings/contract.ts'
import { DEFAULT_ACCENT } from '#app/settings/theme-model.ts'
import { SCHEMES } from '#app/shared/contract/public-settings.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { Select } from '#app/shared/web/form/select.tsx'
import { TextArea } from '#app/shared/web/form/text-area.tsx'
import { PictureInput } from './picture-input.tsx'
import { Section } from './section.tsx'
import { type Draft, numberIn } from './settings-draft.ts'

type Props = { draft: Draft }

const trimmed = (text: string) => text.trim()

/** Name, tagline and logo. */
export function ShopFields({ draft: { settings, change, field } }: Props) {
  const { mend } = use(FormProblems)
  const removeLogo = () => {
    change({ logo: null })
    mend('logo')
  }
  return (
    <Section title="Shop">
      <Field label="Name" {...field('name')} autoComplete="organization" />
      <Field
        label="Tagline"
        hint="After the name, in the title of the home page."
        {...field('tagline')}
      />
      <div className="flex flex-wrap items-start gap-4">
        <PictureInput
          label="Logo"
          hint="Icons of browser tabs and home screens are made from it, too."
          name="logo"
          onUploaded={({ id }) => change({ logo: id })}
        />
        {settings.logo !== null && (
          <div className="space-y-2">
            <img
              src={pictureUrl(settings.logo, 400)}
              alt="The logo"
              className="h-12 w-auto max-w-40 object-contain"
            />
            <button type="button" className="btn btn-sm" onClick={removeLogo}>
              Remove the logo
            </button>
          </div>
        )}
      </div>
    </Section>
  )
}

/** The data of the contact page. */
export function ContactFields({ draft: { settings, change, field } }: Props) {
  return (
    <Section title="Contact data">
      <p className="text-base-content/75 text-sm">An empty field is not shown.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {/* no `type="email"`: the browser would refuse an address in other words than the shop */}
        <Field label="E-mail" inputMode="email" {...field('email')} autoComplete="email" />
        <Field label="Phone" type="tel" {...field('phone')} autoComplete="tel" />
        <Field label="Toll-free number" type="tel" {...field('tollFree')} />
        <TextArea label="Address" rows={3} {...field('address')} />
      </div>
      <Checkbox
        label="Send each admin an e-mail for a new order"
        checked={settings.mailsOrders}
        onChange={({ target }) => change({ mailsOrders: target.checked })}
      />
    </Section>
  )
}

const SCHEME_NAMES = {
  system: "As the visitor's device: light or dark",
  light: 'Always light',
  dark: 'Always dark',
} as const

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

/** The accent colour and the theme. */
export function ThemeFields({ draft: { settings, change, field } }: Props) {
  const { accent } = settings
  return (
    <Section title="Theme">
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="flex items-start gap-3">
          <div className="flex-1">
            <Field
              label="Accent colour"
              hint="The colours of the light and the dark theme are derived from it."
              {...field('accent', trimmed)}
            />
          </div>
          <input
            type="color"
            name="accent"
            aria-label="Choose the accent colour"
            value={isColour(accent) ? accent.toLowerCase() : DEFAULT_ACCENT}
            onChange={({ target }) => change({ accent: target.value })}
            className="mt-6.5 h-10 w-12 shrink-0 cursor-pointer rounded-field"
          />
        </div>
        <Select
          label="Theme of the pages"
          {...field('scheme')}
          options={SCHEMES.map((value) => ({ value, label: SCHEME_NAMES[value] }))}
        />
      </div>
    </Section>
  )
}

/** Currencies with two decimals. */
const CURRENCIES =
  'USD EUR GBP INR AUD BRL CAD CHF CNY CZK DKK EGP HKD IDR ILS KES LKR MAD MXN MYR NGN NOK NPR NZD PHP PKR PLN RON SAR SEK SGD THB TRY UAH AED ZAR'
const LOCALES =
  'en-US en-GB en-IN en-AU en-CA de-DE de-AT de-CH fr-FR fr-CH fr-CA es-ES es-MX it-IT it-CH pt-BR pt-PT nl-NL nl-BE da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ ro-RO tr-TR uk-UA el-GR he-IL ar-EG ar-AE hi-IN bn-IN ta-IN id-ID ms-MY th-TH zh-CN zh-HK'

type SuggestionsProps = { id: string; type: 'currency' | 'language'; codes: string }

/** Codes with their names as suggestions of a text field; others can be typed. */
const Suggestions = memo(({ id, type, codes }: SuggestionsProps) => {
  const names = new Intl.DisplayNames('en', { type })
  return (
    <datalist id={id}>
      {codes.split(' ').map((code) => (
        <option key={code} value={code}>
          {names.of(code)}
        </option>
      ))}
    </datalist>
  )
})

/** The time zones that the browser knows, with UTC and the present one. */
const timeZonesWith = (present: string) =>
  [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value,
  }))

/**
 * Currency and format of prices, time zone, price bands, and the threshold of low stock. Lists and numbers
 * keep what is typed: one that is half typed is none yet.
 */
export function DisplayFields({ draft: { settings, change, field } }: Props) {
  const ids = useId()
  return (
    <Section title="Prices, days and stock">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Currency"
          list={`${ids}-currencies`}
          hint="A code of ISO 4217, such as USD. It changes how prices are shown, not their amount."
          {...field('currencyDisplay', (text) => text.trim().toUpperCase())}
        />
        <Field
          label="Format of prices"
          list={`${ids}-locales`}
          hint="The language and country, such as en-US or de-DE."
          {...field('locale', trimmed)}
        />
        <Select
          label="Time zone"
          hint="Days begin at its midnight: of invoices, figures, coupons and tax rates."
          options={timeZonesWith(settings.timeZone)}
          {...field('timeZone')}
        />
        <Field
          label="Price bands"
          hint="The lowest price of each band of the filter, separated by commas."
          name="priceBands"
          autoComplete="off"
          defaultValue={settings.priceBands.join(', ')}
          onChange={({ target }) => change({ priceBands: target.value.split(',').map(numberIn) })}
        />
        <Field
          label="Low stock"
          hint="Up to this quantity a product shows how many are left."
          inputMode="numeric"
          name="lowStock"
          autoComplete="off"
          defaultValue={settings.lowStock}
          onChange={({ target }) => change({ lowStock: numberIn(target.value) })}
        />
      </div>
      <Suggestions id={`${ids}-currencies`} type="currency" codes={CURRENCIES} />
      <Suggestions id={`${ids}-locales`} type="language" codes={LOCALES} />
    </Section>
  )
}
