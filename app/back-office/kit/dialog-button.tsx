import {
  type ButtonHTMLAttributes,
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useState,
} from 'react'
import { Link } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { ChangeDialog, type Changed, CloseDialog, useChange } from './form-dialog.tsx'

const closedBy = (dialog: ReactNode, close: () => void) => (
  <CloseDialog value={close}>{dialog}</CloseDialog>
)

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
}: ButtonHTMLAttributes<HTMLButtonElement> & { dialog: ReactNode }) {
  const showInList = use(ShowInList)
  const [isOpen, setOpen] = useState(false)
  const open = () =>
    showInList ? showInList(closedBy(dialog, () => showInList(null))) : setOpen(true)
  return (
    <>
      <button type="button" className="btn btn-sm" {...button} onClick={open} />
      {/* rendered each time, so that it follows what is loaded again */}
      {isOpen && closedBy(dialog, () => setOpen(false))}
    </>
  )
}

type ConfirmProps = ComponentProps<typeof ChangeDialog> & {
  /** By default the label of the button that confirms. */
  label?: ReactNode
  button?: ButtonHTMLAttributes<HTMLButtonElement>
}

/** A button that makes a change after a confirmation. */
export const ConfirmButton = ({ label, button, ...dialog }: ConfirmProps) => (
  <DialogButton {...button} dialog={<ChangeDialog {...dialog} />}>
    {label ?? dialog.action}
  </DialogButton>
)

type RunProps = Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-description'> & {
  run: () => Promise<Changed>
  /** Shown when a failure has no message of the server's. */
  failed: string
  children: ReactNode
}

/** A button that makes a change at once. */
export function RunButton({ run, failed, className = '', ...button }: RunProps) {
  const { change, revalidate } = useChange()
  const { busy, form } = useSubmit(() => change(run), { failed, refused: revalidate })
  return (
    <form {...form}>
      <BusyButton type="submit" busy={busy} className={className} {...button} />
    </form>
  )
}

type ItemProps = {
  /** The id of the object in the history. */
  object: string
  name: string
  /** The dialog that edits it, or the address of the page that does. */
  edit: ReactNode
  editLabel?: string
  /** Deletes it. */
  remove: () => Promise<Changed>
  /** The effect of its deletion. */
  warning: string
  /** Shown when a failure to delete it has no message of the server's. */
  failed: string
}

/** The buttons of an object in a list. */
export function ItemActions(props: ItemProps) {
  const { object, name, edit, editLabel = 'Edit', remove, warning, failed } = props
  const editing = {
    'aria-description': name,
    className: 'btn btn-sm btn-outline border-base-300',
    children: editLabel,
  }
  return (
    <div className="flex items-center gap-2">
      <HistoryLink object={object} name={name} />
      {typeof edit === 'string' ? (
        <Link to={edit} {...editing} />
      ) : (
        <DialogButton dialog={edit} {...editing} />
      )}
      <ConfirmButton
        title={`Delete ${name}?`}
        action="Delete"
        deletes
        run={remove}
        failed={failed}
        button={{ 'aria-description': name, className: 'btn btn-sm btn-ghost text-error' }}
      >
        {warning}
      </ConfirmButton>
    </div>
  )
}
