import { useAtomValue } from 'jotai'
import { createPortal } from 'react-dom'
import { Toaster } from 'react-hot-toast'
import { toastContainerAtom } from '../dialog/toast-container.ts'

export { toast } from 'react-hot-toast'

const TOAST = {
  border: '1px solid var(--color-base-300)',
  background: 'var(--color-base-100)',
  color: 'var(--color-base-content)',
}

/**
 * The toasts. While a modal dialog is open they are rendered inside it, because its backdrop would
 * cover them.
 */
export function Toasts() {
  const container = useAtomValue(toastContainerAtom)
  const toasts = <Toaster toastOptions={{ style: TOAST }} />
  return container ? createPortal(toasts, container) : toasts
}
