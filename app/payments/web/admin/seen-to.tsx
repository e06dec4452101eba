import { useState } from 'react'
import { toast } from 'react-hot-toast'
import { useRevalidator } from 'react-router'
import {
  type ListedPayment,
  paymentAdminCalls,
  STATES_FOR_A_PERSON,
} from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { Dialog } from '#app/shared/web/dialog/dialog.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'

/** Where only a person can do something: the button that says it is done, or what was said of it. */
export function SeenTo({ payment }: { payment: ListedPayment }) {
  const [asked, setAsked] = useState(false)
  const isSeen = payment.state === 'seen_to'
  if (!isSeen && !STATES_FOR_A_PERSON.includes(payment.state)) return null
  return (
    <>
      <button type="button" onClick={() => setAsked(true)} className="btn btn-sm">
        {isSeen ? 'Change note' : 'Seen to'}
      </button>
      {asked && <NoteDialog payment={payment} onClose={() => setAsked(false)} />}
    </>
  )
}

type Props = { payment: ListedPayment; onClose: () => void }

function NoteDialog({ payment: { _id: id, seenNote }, onClose }: Props) {
  const { revalidate } = useRevalidator()
  const { busy, form } = useSubmit(
    async (field) => {
      const body = { note: field('note') }
      const seen = call(paymentAdminCalls.seeToPayment, { params: { id }, body })
      // whatever comes of it, the list shows afterwards what is so
      const { message } = await seen.finally(revalidate)
      toast.success(message)
      onClose()
    },
    { failed: 'The note could not be kept.', refused: revalidate },
  )
  return (
    <Dialog title="What was done about it?" onClose={onClose}>
      <form {...form} className="space-y-6">
        <Labelled label="Note">
          {(inputId) => (
            <textarea
              id={inputId}
              name="note"
              required
              maxLength={500}
              defaultValue={seenNote ?? ''}
              className="textarea w-full bg-base-200"
            />
          )}
        </Labelled>
        <p className="text-base-content/75 text-sm">
          It leaves what needs somebody, and is found under “Seen to”. Its history keeps your name.
        </p>
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={busy}>
            Seen to
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}
