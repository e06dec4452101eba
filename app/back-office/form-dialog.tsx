import type { ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { type Fields, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'

type Done = { message: string }

/** Runs a change, loads the page again, whether it succeeds or not, shows its message and closes its dialog, if it has one. */
export function useChange(onClose?: () => void) {
  const { revalidate } = useRevalidator()
  const change = async (run: () => Promise<Done>) => {
    const { message } = await run().finally(revalidate)
    toast.success(message)
    onClose?.()
  }
  return { change, revalidate }
}

type Props = {
  title: string
  /** Shown when a failure has no message of the server's. */
  failed: string
  onClose: () => void
  children: ReactNode
}

type FormProps = Props & {
  /** The label of the button that saves. */
  action: string
  save: (field: Fields) => Promise<Done>
}

/** A form in a dialog. A refusal is shown at its field, and the form keeps what was entered. */
export function FormDialog({ title, action, save, failed, onClose, children }: FormProps) {
  const { change, revalidate } = useChange(onClose)
  const submit = useSubmit((field) => change(() => save(field)), {
    failed,
    refused: revalidate,
    atFieldOnly: true,
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <SubmitForm submit={submit} className="space-y-6">
        {children}
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={submit.busy}>
            {action}
          </BusyButton>
        </div>
      </SubmitForm>
    </Dialog>
  )
}

type ConfirmProps = Props & {
  /** The label of the button that confirms. */
  action: string
  run: () => Promise<Done>
}

/** Confirms a change, and makes it. */
export function ChangeDialog({ run, onClose, ...dialog }: ConfirmProps) {
  const { change } = useChange(onClose)
  return <ConfirmDialog {...dialog} onConfirm={() => change(run)} onClose={onClose} />
}

/** Confirms that something is to be deleted, and deletes it. */
export const DeleteDialog = ({ remove, ...dialog }: Props & { remove: () => Promise<Done> }) => (
  <ChangeDialog {...dialog} action="Delete" run={remove} />
)
