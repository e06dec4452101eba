import { useState } from 'react'
import { Field } from '#app/shared/web/form/field.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { namedCountries, regionsOf } from '#app/shipping/model.ts'

type Props = {
  country: string | null
  region: string | null
  /** The name of the choice without a country; absent where a country is required. */
  none?: string
}

/** A country and a region of it: a select where the regions are known, else a text field. */
export function PlaceFields({ country, region, none }: Props) {
  const [chosen, choose] = useState(country ?? '')
  const present = chosen === (country ?? '') ? (region ?? '') : ''
  return (
    <>
      <Labelled label="Country" name="country">
        {(id, problem) => (
          <select
            {...problem}
            id={id}
            name="country"
            required={none === undefined}
            value={chosen}
            onChange={({ target }) => choose(target.value)}
            className="select w-full bg-base-200 aria-invalid:border-error"
          >
            <option value="">{none ?? 'Select a country'}</option>
            {namedCountries().map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <RegionField key={chosen} country={chosen} region={present} />
    </>
  )
}

function RegionField({ country, region }: { country: string; region: string }) {
  const regions = regionsOf(country)
  const label = 'State or region'
  if (regions.length === 0) {
    return (
      <Field
        label={label}
        name="region"
        maxLength={100}
        autoComplete="off"
        defaultValue={region}
        disabled={country === ''}
        hint="Empty: the whole country"
      />
    )
  }
  return (
    <Labelled label={label} name="region">
      {(id, problem) => (
        <select
          {...problem}
          id={id}
          name="region"
          defaultValue={region}
          className="select w-full bg-base-200"
        >
          <option value="">The whole country</option>
          {regions.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
