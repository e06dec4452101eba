import { atom, getDefaultStore } from 'jotai'
import type { toast as Toasting, ToastOptions } from 'react-hot-toast'
import { log } from '../failure/log.ts'

/**
 * Whether toasts may be needed soon. What makes and draws them is no part of the first visit: it
 * is fetched when the visitor first does anything, or for the first toast.
 */
export const toastsWantedAtom = atom(false)

function tell(say: (toast: typeof Toasting) => void) {
  getDefaultStore().set(toastsWantedAtom, true)
  import('react-hot-toast').then(({ toast }) => say(toast)).catch(log)
}

/** Says something in a toast, which goes by itself. */
export const toast = Object.assign(
  (message: string, options?: ToastOptions) => tell((toast) => toast(message, options)),
  {
    success: (message: string) => tell((toast) => toast.success(message)),
    error: (message: string, options?: ToastOptions) =>
      tell((toast) => toast.error(message, options)),
  },
)
