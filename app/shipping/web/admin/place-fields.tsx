import { Select } from '#app/back-office/fields.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { namedCountries, regionsOf } from '#app/shipping/model.ts'

const optionOf = ({ code, name }: { code: string; name: string }) => ({ value: code, label: name })

const COUNTRIES = namedCountries().map(optionOf)

/** A country and the region in it, each empty without one. */
export type PlaceTexts = { country: string; region: string }

type Props = {
  place: PlaceTexts
  onChange: (place: PlaceTexts) => void
  /** The names of the two controls. */
  names?: PlaceTexts
  regionLabel?: string
  /** The choice without a country. */
  none?: string
  required?: boolean
}

/** A country and a region of it: a select where the regions are known, else a text field. */
export function PlaceFields({
  place: { country, region },
  onChange,
  names = { country: 'country', region: 'region' },
  regionLabel = 'State or region',
  none = 'Choose a country',
  required,
}: Props) {
  const regions = regionsOf(country)
  const chooseRegion = ({ target }: { target: { value: string } }) =>
    onChange({ country, region: target.value })
  return (
    <>
      <Select
        label="Country"
        name={names.country}
        required={required}
        value={country}
        onChange={({ target }) => onChange({ country: target.value, region: '' })}
        options={[{ value: '', label: none }, ...COUNTRIES]}
      />
      {regions.length > 0 ? (
        <Select
          label={regionLabel}
          name={names.region}
          value={region}
          onChange={chooseRegion}
          options={[{ value: '', label: 'The whole country' }, ...regions.map(optionOf)]}
        />
      ) : (
        <Field
          label={regionLabel}
          name={names.region}
          maxLength={100}
          autoComplete="off"
          hint="Empty: the whole country."
          disabled={country === ''}
          value={region}
          onChange={chooseRegion}
        />
      )}
    </>
  )
}
