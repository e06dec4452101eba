import { FormDialog } from '#app/back-office/form-dialog.tsx'
import { DialogButton } from '#app/back-office/row-actions.tsx'
import {
  type ListedPayment,
  paymentAdminCalls,
  RESOLVABLE_STATES,
} from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { TextArea } from '#app/shared/web/form/text-area.tsx'

/** The button that resolves an issue, or changes the note of a resolved one. */
export function ResolveButton({ payment }: { payment: ListedPayment }) {
  const { _id: id, state, order, resolutionNote } = payment
  const isResolved = state === 'resolved'
  // a refused refund of an order is given up instead
  const isGivenUp = state === 'refund_refused' && order !== null
  if (isGivenUp) return null
  if (!isResolved && !RESOLVABLE_STATES.some((one) => one === state)) return null
  return (
    <DialogButton
      dialog={(close) => (
        <FormDialog
          title="How was it resolved?"
          action="Resolve"
          save={(field) =>
            call(paymentAdminCalls.resolvePayment, {
              params: { id },
              body: { note: field('note') },
            })
          }
          failed="The note could not be saved."
          onClose={close}
        >
          <TextArea
            label="Note"
            name="note"
            required
            maxLength={500}
            defaultValue={resolutionNote ?? ''}
          />
          <p className="text-base-content/75 text-sm">
            The payment needs no attention then, and is found under “Resolved”.
          </p>
        </FormDialog>
      )}
    >
      {isResolved ? 'Change note' : 'Resolve'}
    </DialogButton>
  )
}
