import { useSetAtom } from 'jotai'
import { type ReactNode, useCallback, useId } from 'react'
import { openDialogsAtom } from './toast-container.ts'

type Props = {
  title: string
  /** Called on Escape; false keeps the dialog open. */
  mayClose?: () => boolean
  onClose: () => void
  children: ReactNode
}

/** Restores the focus, unless another element has it. */
const restoreFocus = (opener: Element | null) => {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
}

/** A modal dialog, by the browser's own element. It is open while it is rendered. */
export function Dialog({ title, mayClose, onClose, children }: Props) {
  const titleId = useId()
  const setOpen = useSetAtom(openDialogsAtom)
  const open = useCallback(
    (dialog: HTMLDialogElement) => {
      const opener = document.activeElement
      dialog.showModal()
      setOpen((others) => [...others, dialog])
      return () => {
        setOpen((open) => open.filter((one) => one !== dialog))
        // restores the focus
        dialog.close()
        // of two dialogs that close at once, the lower one can restore it only after the upper one
        queueMicrotask(() => restoreFocus(opener))
      }
    },
    [setOpen],
  )
  return (
    <dialog
      ref={open}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (mayClose?.() === false) event.preventDefault()
      }}
      onClose={onClose}
      className="surface m-auto w-[calc(100vw-2rem)] max-w-md p-6 text-inherit shadow-xl backdrop:bg-black/50 sm:p-8"
    >
      <h2 id={titleId} className="wrap-anywhere mb-5 text-2xl">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
