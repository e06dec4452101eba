import { useState } from 'react'
import { Section, SettingInput } from './setting-field.tsx'
import type { Draft } from './settings-draft.ts'

/** A number of a text field; an empty or a wrong one is none. */
const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** Currency and format of prices, price bands, and the threshold of low stock. */
export function DisplayFields({ draft: { settings, problemOf, change } }: { draft: Draft }) {
  // as typed: a list or a number that is half typed is not one yet
  const [bands, setBands] = useState(settings.priceBands.join(', '))
  const [lowStock, setLowStock] = useState(String(settings.lowStock))
  return (
    <Section title="Prices and stock">
      <div className="grid gap-4 sm:grid-cols-2">
        <SettingInput
          label="Currency"
          hint="A code of ISO 4217, such as USD. It changes how prices are shown, not their amount."
          value={settings.currencyDisplay}
          problem={problemOf('currencyDisplay')}
          onChange={(currency) => change({ currencyDisplay: currency.trim().toUpperCase() })}
        />
        <SettingInput
          label="Format of prices"
          hint="The language and country, such as en-US or de-DE."
          value={settings.locale}
          problem={problemOf('locale')}
          onChange={(locale) => change({ locale: locale.trim() })}
        />
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
