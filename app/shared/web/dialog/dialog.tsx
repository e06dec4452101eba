import { useSetAtom } from 'jotai'
import { type ReactNode, useCallback, useId } from 'react'
import { toastPlaceAtom } from './toast-place.ts'

type Props = {
  title: string
  /** By Escape, or because it was asked to. */
  onClose: () => void
  children: ReactNode
}

/** A question over the page, by the browser's own dialog. It is open as long as it is rendered. */
export function Dialog({ title, onClose, children }: Props) {
  const titleId = useId()
  const setToastPlace = useSetAtom(toastPlaceAtom)
  const open = useCallback(
    (dialog: HTMLDialogElement) => {
      dialog.showModal()
      setToastPlace(dialog)
      return () => {
        setToastPlace(null)
        // gives the focus back to where it was
        dialog.close()
      }
    },
    [setToastPlace],
  )
  return (
    <dialog
      ref={open}
      aria-labelledby={titleId}
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
