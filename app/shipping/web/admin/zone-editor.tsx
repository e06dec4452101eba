import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { CallFailure } from '#app/shared/web/call.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { fieldsOf, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import {
  type ShippingRate,
  type ShippingZone,
  shippingAdminCalls,
  type ZoneForm,
} from '#app/shipping/admin-contract.ts'
import { zoneProblems } from '#app/shipping/admin-model.ts'
import { Entries } from './entries.tsx'
import { PlaceFields } from './place-fields.tsx'
import { kindOf, RateFields } from './rate-fields.tsx'

/** The entries of a list in the form, in which each control has the name of its path in the body. */
function entriesIn<Entry>(form: FormData, list: string, read: (path: string) => Entry): Entry[] {
  const inList = [...form.keys()].filter((name) => name.startsWith(`${list}.`))
  const numbers = new Set(inList.map((name) => name.slice(list.length + 1).split('.', 1)[0]))
  return [...numbers].map((number) => read(`${list}.${number}`))
}

const numberIn = (text: string) => (text.trim() === '' ? undefined : Number(text))

/** Whole grams. `1.000` is refused: it is a thousand in some languages, and one in others. */
const gramsIn = (text: string) => numberIn(/^\s*\d*\s*$/.test(text) ? text : 'NaN')

function rateIn(form: FormData, path: string): ShippingRate {
  const field = fieldsOf(form)
  const kind = kindOf(field(`${path}.kind`))
  const endIn = kind === 'weight' ? gramsIn : numberIn
  const tiers = entriesIn(form, `${path}.tiers`, (tier) => ({
    upTo: endIn(field(`${tier}.upTo`)) ?? null,
    price: numberIn(field(`${tier}.price`)) ?? Number.NaN,
  }))
  return {
    _id: field(`${path}._id`) || undefined,
    name: field(`${path}.name`).trim(),
    kind,
    price: numberIn(field(`${path}.price`)),
    tiers: tiers.length > 0 ? tiers : undefined,
    freeFrom: numberIn(field(`${path}.freeFrom`)),
  }
}

/** The body that the form sends. A number that cannot be read is NaN, which the rules refuse. */
export function zoneIn(form: FormData): ZoneForm {
  const field = fieldsOf(form)
  return {
    name: field('name').trim(),
    isDefault: field('isDefault') !== '',
    places: entriesIn(form, 'places', (path) => ({
      country: field(`${path}.country`),
      region: field(`${path}.region`).trim() || undefined,
    })),
    rates: entriesIn(form, 'rates', (path) => rateIn(form, path)),
  }
}

const textOf = (form: HTMLFormElement | null) => form && JSON.stringify(zoneIn(new FormData(form)))

function save(body: ZoneForm, zone?: ShippingZone) {
  const fields = zoneProblems(body)
  // what is wrong with the zone by itself is said before anything is sent
  if (fields[0]) throw new CallFailure(400, { message: fields[0].message, fields })
  return zone
    ? call(shippingAdminCalls.updateZone, {
        params: { id: zone._id },
        body: { ...body, updatedAt: zone.updatedAt },
      })
    : call(shippingAdminCalls.createZone, { body })
}

const FAILED = 'The shipping zone could not be saved.'

/** The form of a zone; without one, of a new zone. */
export function ZoneEditor({ zone }: { zone?: ShippingZone | undefined }) {
  // as it was first read: a save never overwrites another admin's edit unnoticed
  const [read] = useState(zone)
  const form = useRef<HTMLFormElement>(null)
  const saved = useRef<string | null>(null)
  const navigate = useNavigate()
  useEffect(() => {
    saved.current = textOf(form.current)
  }, [])
  const submit = useSubmit(
    async (_field, sent) => {
      const { message } = await save(zoneIn(sent), read)
      saved.current = textOf(form.current)
      toast.success(message)
      await navigate(href('/dashboard/admin/shipping'))
    },
    { failed: FAILED, atFieldOnly: true },
  )
  return (
    <SubmitForm submit={submit} ref={form} className="surface space-y-8 p-4 sm:p-8">
      <ZoneFields zone={read} />
      <BusyButton type="submit" busy={submit.busy} className="btn-primary max-sm:w-full sm:px-10">
        Save zone
      </BusyButton>
      <UnsavedChangesPrompt isChanged={() => textOf(form.current) !== saved.current} />
    </SubmitForm>
  )
}

const ZoneFields = ({ zone }: { zone: ShippingZone | undefined }) => (
  <>
    <div className="space-y-4">
      <Field
        label="Name"
        name="name"
        hint="For the back office, such as Europe."
        autoComplete="off"
        defaultValue={zone?.name}
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
            defaultChecked={zone?.isDefault}
            className="checkbox"
          />
        )}
      </Labelled>
    </div>
    <section aria-labelledby="zone-places" className="space-y-4">
      <h2 id="zone-places" className="text-xl">
        Places
      </h2>
      <Entries noun="place" list="places" opened={zone?.places ?? [undefined]}>
        {(place, path, remove) => (
          <div className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
            <PlaceFields place={place} path={`${path}.`} regionLabel="Region" />
            <span className="sm:mt-7.5">{remove}</span>
          </div>
        )}
      </Entries>
    </section>
    <section aria-labelledby="zone-rates" className="space-y-4">
      <h2 id="zone-rates" className="text-xl">
        Rates
      </h2>
      <Entries noun="rate" list="rates" opened={zone?.rates ?? [undefined]}>
        {(rate, path, remove) => <RateFields rate={rate} path={path} remove={remove} />}
      </Entries>
    </section>
  </>
)
