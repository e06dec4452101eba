import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useMoneyFormat } from '#app/shared/web/form/money-field.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import {
  type ShippingZone,
  shippingAdminCalls,
  type ZoneForm,
} from '#app/shipping/admin-contract.ts'
import { draftOf, draftProblems, formOf, newZone, type ZoneDraft } from './zone-draft.ts'
import { ZoneFields } from './zone-fields.tsx'

type Props = {
  /** The zone to edit; undefined for a new one. */
  zone?: ShippingZone | undefined
  /** The other zones, with which it must not overlap. */
  others: ShippingZone[]
}

const save = (body: ZoneForm, zone?: ShippingZone) =>
  zone
    ? call(shippingAdminCalls.updateZone, {
        params: { id: zone._id },
        body: { ...body, updatedAt: zone.updatedAt },
      })
    : call(shippingAdminCalls.createZone, { body })

const FAILED = 'The shipping zone could not be saved.'

/** The form of a zone. Everything that is wrong is said at its field before anything is sent. */
export function ZoneEditor({ zone, others }: Props) {
  // as it was first read: a save never overwrites another admin's edit unnoticed
  const [read] = useState(zone)
  const format = useMoneyFormat()
  const [initial] = useState(() => (read ? draftOf(read, format) : newZone()))
  const [draft, setDraft] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const isSaved = useRef(false)
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit(
    async () => {
      setChecked(true)
      if (draftProblems(draft, { format, others }).length > 0) {
        // after the sentence is rendered
        requestAnimationFrame(() =>
          form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
        )
        return
      }
      const { message } = await save(formOf(draft, format), read)
      isSaved.current = true
      toast.success(message)
      await navigate(href('/dashboard/admin/shipping'))
    },
    { failed: FAILED },
  )
  const serialized = (one: ZoneDraft) => JSON.stringify(formOf(one, format))
  const isChanged = () => !isSaved.current && serialized(draft) !== serialized(initial)
  // from the first check on, they follow each change
  const problems = isChecked ? draftProblems(draft, { format, others }) : []
  return (
    <SubmitForm submit={submit} ref={form} className="surface space-y-8 p-4 sm:p-8">
      <FormProblems value={{ problems: [...problems, ...submit.problems], mend: submit.mend }}>
        <ZoneFields draft={draft} onChange={setDraft} />
      </FormProblems>
      <BusyButton type="submit" busy={submit.busy} className="btn-primary max-sm:w-full sm:px-10">
        Save zone
      </BusyButton>
      <UnsavedChangesPrompt isChanged={isChanged} />
    </SubmitForm>
  )
}
