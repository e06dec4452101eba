import { type ButtonHTMLAttributes, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'

type Opened = (close: () => void) => ReactNode

/** A button that opens a dialog, which it shows until it is closed. */
export function DialogButton({
  dialog,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & { dialog: Opened }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-sm" {...button} onClick={() => setOpen(true)} />
      {/* the texts of a dialog are not those of the row around it */}
      {isOpen && <div className="contents text-base">{dialog(() => setOpen(false))}</div>}
    </>
  )
}

type Props = {
  /** The id of the object in the history. */
  object: string
  /** The id of the element with its name. */
  describedBy: string
  /** The dialog that edits it, or the address of the page that does. */
  edit: Opened | string
  editLabel?: string
  /** The dialog that deletes it. */
  remove: Opened
}

/** What can be done with an object in a list. */
export function RowActions({ object, describedBy, edit, editLabel = 'Edit', remove }: Props) {
  const editing = {
    'aria-describedby': describedBy,
    className: 'btn btn-sm btn-outline border-base-300',
    children: editLabel,
  }
  return (
    <div className="flex items-center gap-2">
      <HistoryLink object={object} describedBy={describedBy} />
      {typeof edit === 'string' ? (
        <Link to={edit} {...editing} />
      ) : (
        <DialogButton dialog={edit} {...editing} />
      )}
      <DialogButton
        aria-describedby={describedBy}
        className="btn btn-sm btn-ghost text-error"
        dialog={remove}
      >
        Delete
      </DialogButton>
    </div>
  )
}
