import { type ButtonHTMLAttributes, createContext, type ReactNode, use, useState } from 'react'
import { Link } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'

type Opened = (close: () => void) => ReactNode

type Show = (dialog: ReactNode) => void

const ShowInList = createContext<Show | null>(null)

/** Shows the dialogs of the rows in it, also after a row is gone: what was entered is not lost. */
export function RowDialogs({ children }: { children: ReactNode }) {
  const [dialog, show] = useState<ReactNode>(null)
  return (
    <ShowInList value={show}>
      {children}
      {dialog}
    </ShowInList>
  )
}

/** A button that opens a dialog: in the list around it, or beside itself. */
export function DialogButton({
  dialog,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & { dialog: Opened }) {
  const showInList = use(ShowInList)
  const [isOpen, setOpen] = useState(false)
  const open = () => (showInList ? showInList(dialog(() => showInList(null))) : setOpen(true))
  return (
    <>
      <button type="button" className="btn btn-sm" {...button} onClick={open} />
      {/* rendered each time, so that it follows what is loaded again */}
      {isOpen && dialog(() => setOpen(false))}
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

/** The buttons of an object in a list. */
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
