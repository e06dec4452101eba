import { Field } from '#app/shared/web/form/field.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { PlaceFields } from './place-fields.tsx'
import { ListProblem } from './problem-field.tsx'
import { RateFields } from './rate-fields.tsx'
import { newPlace, newRate, type ZoneDraft } from './zone-draft.ts'

type Props = {
  draft: ZoneDraft
  onChange: (draft: ZoneDraft) => void
}

/** The fields of a zone: its name, its places, its rates. */
export function ZoneFields({ draft, onChange }: Props) {
  const { places, rates } = draft
  const change = (changed: ZoneDraft['places']) => onChange({ ...draft, places: changed })
  return (
    <>
      <div className="space-y-4">
        <Field
          label="Name"
          name="name"
          hint="For the back office, such as Europe."
          autoComplete="off"
          value={draft.name}
          onChange={({ target }) => onChange({ ...draft, name: target.value })}
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
            <li key={place.key} className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
              <PlaceFields
                place={place}
                names={{ country: `places.${at}`, region: `places.${at}.region` }}
                regionLabel="Region"
                onChange={(changed) => change(places.with(at, { ...place, ...changed }))}
              />
              <button
                type="button"
                onClick={() => change(places.filter((one) => one !== place))}
                className="btn btn-ghost text-error sm:mt-6.5"
              >
                Remove place
              </button>
            </li>
          ))}
        </ul>
        <button
          type="button"
          onClick={() => change([...places, newPlace()])}
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
