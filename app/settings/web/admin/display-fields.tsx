import { useState } from 'react'
import { currencyChoices, localeChoices } from './choices.ts'
import { Section, SettingField, SettingInput } from './setting-field.tsx'
import type { Draft } from './settings-draft.ts'

/** A number of a text field; an empty or a wrong one is none. */
const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** The time zones that the browser knows, with UTC and the present one. */
const timeZonesWith = (present: string) => [
  ...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')]),
]

/** Currency and format of prices, time zone, price bands, and the threshold of low stock. */
export function DisplayFields({ draft: { settings, problemOf, change } }: { draft: Draft }) {
  // as typed: a list or a number that is half typed is not one yet
  const [currencies] = useState(currencyChoices)
  const [locales] = useState(localeChoices)
  const [bands, setBands] = useState(settings.priceBands.join(', '))
  const [lowStock, setLowStock] = useState(String(settings.lowStock))
  return (
    <Section title="Prices, days and stock">
      <div className="grid gap-4 sm:grid-cols-2">
        <SettingInput
          label="Currency"
          choices={currencies}
          hint="A code of ISO 4217, such as USD. It changes how prices are shown, not their amount."
          value={settings.currencyDisplay}
          problem={problemOf('currencyDisplay')}
          onChange={(currency) => change({ currencyDisplay: currency.trim().toUpperCase() })}
        />
        <SettingInput
          label="Format of prices"
          choices={locales}
          hint="The language and country, such as en-US or de-DE."
          value={settings.locale}
          problem={problemOf('locale')}
          onChange={(locale) => change({ locale: locale.trim() })}
        />
        <SettingField
          label="Time zone"
          hint="Days begin at its midnight: of invoices, figures, coupons and tax rates."
          problem={problemOf('timeZone')}
        >
          {(control) => (
            <select
              {...control}
              value={settings.timeZone}
              onChange={({ target }) => change({ timeZone: target.value })}
              className="select w-full bg-base-200 aria-invalid:border-error"
            >
              {timeZonesWith(settings.timeZone).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </SettingField>
        <SettingInput
          label="Price bands"
          hint="The lowest price of each band of the filter, separated by commas."
          value={bands}
          problem={problemOf('priceBands')}
          onChange={(text) => {
            setBands(text)
            change({ priceBands: text.split(',').map(numberIn) })
          }}
        />
        <SettingInput
          label="Low stock"
          hint="Up to this quantity a product shows how many are left."
          inputMode="numeric"
          value={lowStock}
          problem={problemOf('lowStock')}
          onChange={(text) => {
            setLowStock(text)
            change({ lowStock: numberIn(text) })
          }}
        />
      </div>
    </Section>
  )
}
