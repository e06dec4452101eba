import { useState } from 'react'
import { Field } from '#app/shared/web/form/field.tsx'
import { Select } from '#app/shared/web/form/select.tsx'
import { namedCountries, regionsOf } from '#app/shipping/model.ts'
import { optionOf } from '../address-fields.tsx'

const COUNTRIES = namedCountries().map(optionOf)

type Props = {
  /** The place of the opened form. */
  place: { country?: string | null; region?: string | null } | undefined
  /** The beginning of the names of the two controls. */
  path?: string
  regionLabel?: string
  /** The choice without a country. */
  none?: string
  required?: boolean
}

/** A country and a region of it: a select where the regions are known, else a text field. */
export function PlaceFields({
  place,
  path = '',
  regionLabel = 'State or region',
  none = 'Choose a country',
  required,
}: Props) {
  const [country, setCountry] = useState(place?.country ?? '')
  const regions = regionsOf(country)
  const stored = (country === place?.country && place.region) || ''
  // a region that is known no longer is shown, and refused when it is saved
  const unknown = stored !== '' && regions.every(({ code }) => code !== stored)
  const region = { label: regionLabel, name: `${path}region`, defaultValue: stored }
  return (
    <>
      <Select
        label="Country"
        name={`${path}country`}
        required={required}
        value={country}
        onChange={({ target }) => setCountry(target.value)}
        options={[{ value: '', label: none }, ...COUNTRIES]}
      />
      {regions.length > 0 ? (
        <Select
          key={country}
          {...region}
          options={[
            { value: '', label: 'The whole country' },
            ...(unknown ? [{ value: stored, label: stored }] : []),
            ...regions.map(optionOf),
          ]}
        />
      ) : (
        <Field
          key={country}
          {...region}
          maxLength={100}
          autoComplete="off"
          hint="Empty: the whole country."
          disabled={country === ''}
        />
      )}
    </>
  )
}
