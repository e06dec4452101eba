import { atom } from 'nanostores'
import type { toast as Toasting, ToastOptions } from 'react-hot-toast'
import { log } from '../failure/log.ts'
import { keepsMessages } from '../theme/keeps-messages.ts'

/**
 * Whether the toast library should be loaded. It is not part of the first load: it is fetched on
 * the first user event, or for the first toast.
 */
export const toastsWantedAtom = atom(false)

/** Messages shown without the toast library, because it could not be fetched. */
export const fallbackToastsAtom = atom<{ id: number; words: string }[]>([])

export const fetchToasts = () => import('../live-region/toasts.tsx')

const FALLBACK_TOAST_MS = 4000
/** Without the library they have no button to close them. */
const KEPT_FALLBACK_TOAST_MS = 60_000
let lastId = 0

function showFallbackToast(words: string) {
  lastId += 1
  const one = { id: lastId, words }
  fallbackToastsAtom.set([...fallbackToastsAtom.get(), one])
  setTimeout(
    () => fallbackToastsAtom.set(fallbackToastsAtom.get().slice(1)),
    keepsMessages() ? KEPT_FALLBACK_TOAST_MS : FALLBACK_TOAST_MS,
  )
}

function show(words: string, showToast: (toast: typeof Toasting) => void) {
  toastsWantedAtom.set(true)
  fetchToasts()
    .then(({ toast }) => showToast(toast))
    .catch((error) => {
      log(error)
      showFallbackToast(words)
    })
}

/** Announces a text to screen readers, which is not shown. */
export function announce(text: string) {
  toastsWantedAtom.set(true)
  fetchToasts()
    .then(({ announce }) => announce(text))
    .catch(log)
}

/** Shows a toast, which disappears by itself. */
export const toast = Object.assign(
  (words: string, options?: ToastOptions) => show(words, (toast) => toast(words, options)),
  {
    success: (words: string, options?: ToastOptions) =>
      show(words, (toast) => toast.success(words, options)),
    error: (words: string, options?: ToastOptions) =>
      show(words, (toast) => toast.error(words, options)),
  },
)
