import { type ReactNode, type SyntheticEvent, useId } from 'react'
import { openDialogsAtom } from './toast.tsx'

type Props = {
  title: string
  /** Called on Escape; false keeps the dialog open. */
  mayClose?: () => boolean
  onClose: () => void
  /** As wide as the window, for a picture. */
  wide?: boolean
  children: ReactNode
}

/** Restores the focus, unless another element has it. */
const restoreFocus = (opener: Element | null) => {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
}

/** Opens the dialog; the function that it returns closes it. */
function open(dialog: HTMLDialogElement) {
  const opener = document.activeElement
  dialog.showModal()
  openDialogsAtom.set([...openDialogsAtom.get(), dialog])
  return () => {
    openDialogsAtom.set(openDialogsAtom.get().filter((one) => one !== dialog))
    // restores the focus
    dialog.close()
    // of two dialogs that close at once, the lower one can restore it only after the upper one
    queueMicrotask(() => restoreFocus(opener))
  }
}

/** A modal dialog, by the browser's own element. It is open while it is rendered. */
export function Dialog({ title, mayClose, onClose, wide = false, children }: Props) {
  const titleId = useId()
  const stayOpen = (event: SyntheticEvent) => {
    if (mayClose?.() === false) event.preventDefault()
  }
  return (
    <dialog
      ref={open}
      aria-labelledby={titleId}
      // a browser closes it without `cancel` at the second Escape without a click in between
      onKeyDown={(event) => {
        if (event.key === 'Escape') stayOpen(event)
      }}
      onCancel={stayOpen}
      onClose={onClose}
      style={wide ? { maxWidth: '86rem' } : undefined}
      className="surface m-auto w-[calc(100vw-2rem)] max-w-md p-6 text-inherit shadow-xl backdrop:bg-black/50 sm:p-8"
    >
      <h2 id={titleId} className="wrap-anywhere mb-5 text-2xl">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
