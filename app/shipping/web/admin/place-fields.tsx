import { namedCountries, regionsOf } from '#app/shipping/places-contract.ts'
import type { Problem } from '#app/shipping/problems-contract.ts'
import { ProblemField, ProblemInput } from './problem-field.tsx'
import type { PlaceDraft } from './zone-draft.ts'

const COUNTRIES = namedCountries()

type Props = {
  place: PlaceDraft
  /** The name of the place in problems. */
  field: string
  problem: Problem | null
  onChange: (place: PlaceDraft) => void
  onRemove: () => void
}

/** A country, or one of its regions. */
export function PlaceFields({ place, field, problem, onChange, onRemove }: Props) {
  const regions = regionsOf(place.country)
  return (
    <li className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
      <ProblemField label="Country" field={field} problem={problem}>
        {(control) => (
          <select
            {...control}
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
      </ProblemField>
      {regions.length > 0 ? (
        <ProblemField label="Region" field={`${field}.region`} problem={problem}>
          {(control) => (
            <select
              {...control}
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
        </ProblemField>
      ) : (
        <ProblemInput
          label="Region"
          field={`${field}.region`}
          problem={problem}
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
