import type { ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { BusyButton } from './busy.tsx'
import { Dialog } from './dialog.tsx'
import { useSubmit } from './form/use-submit.ts'

type Props = {
  title: string
  children: ReactNode
  /** The label of the confirming button. */
  action: string
  /** The label of the other button. */
  refusal?: string
  /** Something is lost by it: the confirming button is red. */
  deletes?: boolean
  onConfirm: () => Promise<void>
  /** Shown when a failure has no message of the server's. */
  failed?: string
  onClose: () => void
}

/** A confirmation dialog. It stays open after a failure. */
export function ConfirmDialog({
  title,
  children,
  action,
  refusal = 'Cancel',
  deletes = false,
  onConfirm,
  failed,
  onClose,
}: Props) {
  const { revalidate } = useRevalidator()
  // the guard checks again and finds that the session, or the permission, has ended
  const { busy, form } = useSubmit(onConfirm, { failed, refused: revalidate })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="wrap-anywhere">{children}</div>
      <form {...form} className="mt-6 flex justify-end gap-3">
        <button type="button" onClick={onClose} className="btn">
          {refusal}
        </button>
        <BusyButton type="submit" busy={busy} className={deletes ? 'btn-error' : 'btn-primary'}>
          {action}
        </BusyButton>
      </form>
    </Dialog>
  )
}
