import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { PlaceFields } from './place-fields.tsx'
import { ListProblem, ProblemInput } from './problem-field.tsx'
import { RateFields } from './rate-fields.tsx'
import { newPlace, newRate, type ZoneDraft } from './zone-draft.ts'

type Props = {
  draft: ZoneDraft
  onChange: (draft: ZoneDraft) => void
}

/** The fields of a zone: its name, its places, its rates. */
export function ZoneFields({ draft, onChange }: Props) {
  const { places, rates } = draft
  return (
    <>
      <div className="space-y-4">
        <ProblemInput
          label="Name"
          field="name"
          hint="For the back office, such as Europe."
          value={draft.name}
          onChange={(name) => onChange({ ...draft, name })}
        />
        <Labelled
          label="Default zone"
          name="isDefault"
          hint="It takes every place that no other zone has."
        >
          {(id, problem) => (
            <input
              {...problem}
              id={id}
              name="isDefault"
              type="checkbox"
              checked={draft.isDefault}
              onChange={({ target }) => onChange({ ...draft, isDefault: target.checked })}
              className="checkbox"
            />
          )}
        </Labelled>
      </div>
      <section aria-labelledby="zone-places" className="space-y-4">
        <h2 id="zone-places" className="text-xl">
          Places
        </h2>
        <ListProblem field="places" />
        <ul className="space-y-4">
          {places.map((place, at) => (
            <PlaceFields
              key={place.key}
              place={place}
              field={`places.${at}`}
              onChange={(changed) => onChange({ ...draft, places: places.with(at, changed) })}
              onRemove={() => onChange({ ...draft, places: places.filter((one) => one !== place) })}
            />
          ))}
        </ul>
        <button
          type="button"
          onClick={() => onChange({ ...draft, places: [...places, newPlace()] })}
          className="btn btn-sm"
        >
          Add place
        </button>
      </section>
      <section aria-labelledby="zone-rates" className="space-y-4">
        <h2 id="zone-rates" className="text-xl">
          Rates
        </h2>
        <ListProblem field="rates" />
        {rates.map((rate, at) => (
          <RateFields
            key={rate.key}
            rate={rate}
            number={at + 1}
            field={`rates.${at}`}
            onChange={(changed) => onChange({ ...draft, rates: rates.with(at, changed) })}
            onRemove={() => onChange({ ...draft, rates: rates.filter((one) => one !== rate) })}
          />
        ))}
        <button
          type="button"
          onClick={() => onChange({ ...draft, rates: [...rates, newRate()] })}
          className="btn btn-sm"
        >
          Add rate
        </button>
      </section>
    </>
  )
}
