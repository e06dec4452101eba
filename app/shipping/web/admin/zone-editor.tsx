import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast/toast.ts'
import {
  type ShippingZone,
  shippingAdminCalls,
  type ZoneForm,
} from '#app/shipping/admin-contract.ts'
import { type Problem, zoneConflict, zoneProblem } from '#app/shipping/problems-contract.ts'
import { draftOf, formOf, newZone } from './zone-draft.ts'
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

/** The form of a zone. What is wrong is said at its field before anything is sent. */
export function ZoneEditor({ zone, others }: Props) {
  // as it was first read: a save never overwrites another admin's edit unnoticed
  const [read] = useState(zone)
  const [initial] = useState(() => (read ? draftOf(read) : newZone()))
  const [draft, setDraft] = useState(initial)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isSaved = useRef(false)
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit(
    async () => {
      const body = formOf(draft)
      const found = zoneProblem(body) ?? zoneConflict(body, others)
      setProblem(found)
      if (found) {
        // after the sentence is rendered
        requestAnimationFrame(() =>
          form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
        )
        return
      }
      const { message } = await save(body, read)
      isSaved.current = true
      toast.success(message)
      await navigate('/dashboard/admin/shipping')
    },
    { failed: FAILED },
  )
  const isChanged = () =>
    !isSaved.current && JSON.stringify(formOf(draft)) !== JSON.stringify(formOf(initial))
  return (
    <form {...submit.form} ref={form} noValidate className="surface space-y-8 p-4 sm:p-8">
      <ZoneFields draft={draft} problem={problem} onChange={setDraft} />
      <BusyButton type="submit" busy={submit.busy} className="btn-primary max-sm:w-full sm:px-10">
        Save zone
      </BusyButton>
      <UnsavedChangesPrompt isChanged={isChanged} />
    </form>
  )
}
