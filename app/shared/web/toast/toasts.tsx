import { useAtomValue } from 'jotai'
import { createPortal } from 'react-dom'
import { Toaster } from 'react-hot-toast'
import { toastPlaceAtom } from '../dialog/toast-place.ts'

export { toast } from 'react-hot-toast'

const TOAST = {
  border: '1px solid var(--color-base-300)',
  background: 'var(--color-base-100)',
  color: 'var(--color-base-content)',
}

/** The toasts. Over an open dialog, whose backdrop would hide them, they are shown in it. */
export function Toasts() {
  const place = useAtomValue(toastPlaceAtom)
  const toasts = <Toaster toastOptions={{ style: TOAST }} />
  return place ? createPortal(toasts, place) : toasts
}
