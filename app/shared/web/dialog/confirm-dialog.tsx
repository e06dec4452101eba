import type { ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { BusyButton } from '../busy-button.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  children: ReactNode
  /** The word on the button that does it. */
  action: string
  /** The word on the button that does not. */
  refusal?: string
  onConfirm: () => Promise<void>
  /** What is said of a failure that brings no sentence of the server's. */
  failed?: string
  onClose: () => void
}

/** Asks before something that cannot be undone. It stays open when that fails. */
export function ConfirmDialog({
  title,
  children,
  action,
  refusal = 'Cancel',
  onConfirm,
  failed,
  onClose,
}: Props) {
  const { revalidate } = useRevalidator()
  // the guard looks again, and finds that the session, or the right to do this, has ended
  const { busy, form } = useSubmit(onConfirm, { failed, refused: revalidate })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="wrap-anywhere">{children}</div>
      <form {...form} className="mt-6 flex justify-end gap-3">
        <button type="button" onClick={onClose} className="btn">
          {refusal}
        </button>
        <BusyButton type="submit" busy={busy} className="btn-error">
          {action}
        </BusyButton>
      </form>
    </Dialog>
  )
}
