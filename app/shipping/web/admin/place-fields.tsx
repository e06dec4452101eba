import { use, useState } from 'react'
import { Field, Select } from '#app/back-office/kit/fields.tsx'
import { FormValues } from '#app/back-office/kit/form-page.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { namedCountries, regionsOf } from '#app/shipping/model.ts'
import { optionOf } from '../address-fields.tsx'

type Props = {
  /** The choice without a country. */
  none: string
  required?: boolean
}

/** A country and a region of it: a select where the regions are known, else a text field. */
export function PlaceFields({ none, required }: Props) {
  const stored: { country?: string | null } = use(FormValues) ?? {}
  const [country, setCountry] = useState(stored.country ?? '')
  const regions = regionsOf(country)
  const { locale } = useShop()
  const region = { label: 'State or region', name: 'region' }
  return (
    <>
      <Select
        label="Country"
        name="country"
        required={required}
        value={country}
        onChange={({ target }) => setCountry(target.value)}
        options={[{ value: '', label: none }, ...namedCountries(locale).map(optionOf)]}
      />
      {/* the stored region is one of the stored country */}
      <FormValues key={country} value={country === stored.country ? stored : undefined}>
        {regions.length > 0 ? (
          <Select
            {...region}
            options={[{ value: '', label: 'The whole country' }, ...regions.map(optionOf)]}
          />
        ) : (
          <Field {...region} hint="Empty: the whole country." disabled={country === ''} />
        )}
      </FormValues>
    </>
  )
}
