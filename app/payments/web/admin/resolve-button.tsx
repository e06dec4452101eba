import { useState } from 'react'
import { useRevalidator } from 'react-router'
import {
  type ListedPayment,
  paymentAdminCalls,
  RESOLVABLE_STATES,
} from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'

/** The button that resolves an issue, or changes the note of a resolved one. */
export function ResolveButton({ payment }: { payment: ListedPayment }) {
  const [isOpen, setIsOpen] = useState(false)
  const isResolved = payment.state === 'resolved'
  // a refused refund of an order is given up instead
  const isGivenUp = payment.state === 'refund_refused' && payment.order !== null
  if (isGivenUp) return null
  if (!isResolved && !RESOLVABLE_STATES.some((state) => state === payment.state)) return null
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className="btn btn-sm">
        {isResolved ? 'Change note' : 'Resolve'}
      </button>
      {isOpen && <NoteDialog payment={payment} onClose={() => setIsOpen(false)} />}
    </>
  )
}

type Props = { payment: ListedPayment; onClose: () => void }

function NoteDialog({ payment: { _id: id, resolutionNote }, onClose }: Props) {
  const { revalidate } = useRevalidator()
  const submit = useSubmit(
    async (field) => {
      const body = { note: field('note') }
      const resolving = call(paymentAdminCalls.resolvePayment, { params: { id }, body })
      // also after a failure: the list may have changed
      const { message } = await resolving.finally(revalidate)
      toast.success(message)
      onClose()
    },
    { failed: 'The note could not be saved.', refused: revalidate },
  )
  return (
    <Dialog title="How was it resolved?" onClose={onClose}>
      <SubmitForm submit={submit} className="space-y-6">
        <Labelled label="Note" name="note">
          {(inputId, problem) => (
            <textarea
              {...problem}
              id={inputId}
              name="note"
              required
              maxLength={500}
              defaultValue={resolutionNote ?? ''}
              className="textarea w-full bg-base-200"
            />
          )}
        </Labelled>
        <p className="text-base-content/75 text-sm">
          The payment needs no attention then, and is found under “Resolved”.
        </p>
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={submit.busy}>
            Resolve
          </BusyButton>
        </div>
      </SubmitForm>
    </Dialog>
  )
}
