import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { namedCountries, regionsOf } from '#app/shipping/model.ts'
import { ProblemInput } from './problem-field.tsx'
import type { PlaceDraft } from './zone-draft.ts'

const COUNTRIES = namedCountries()

type Props = {
  place: PlaceDraft
  /** The name of the place in problems. */
  field: string
  onChange: (place: PlaceDraft) => void
  onRemove: () => void
}

/** A country, or one of its regions. */
export function PlaceFields({ place, field, onChange, onRemove }: Props) {
  const regions = regionsOf(place.country)
  return (
    <li className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
      <Labelled label="Country" name={field}>
        {(id, problem) => (
          <select
            {...problem}
            id={id}
            name={field}
            value={place.country}
            onChange={({ target }) => onChange({ ...place, country: target.value, region: '' })}
            className="select w-full bg-base-200 aria-invalid:border-error"
          >
            <option value="">Choose a country</option>
            {COUNTRIES.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {regions.length > 0 ? (
        <Labelled label="Region" name={`${field}.region`}>
          {(id, problem) => (
            <select
              {...problem}
              id={id}
              name={`${field}.region`}
              value={place.region}
              onChange={({ target }) => onChange({ ...place, region: target.value })}
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
      ) : (
        <ProblemInput
          label="Region"
          field={`${field}.region`}
          hint="Empty: the whole country."
          value={place.region}
          onChange={(region) => onChange({ ...place, region })}
        />
      )}
      <button type="button" onClick={onRemove} className="btn btn-ghost text-error sm:mt-6.5">
        Remove place
      </button>
    </li>
  )
}
