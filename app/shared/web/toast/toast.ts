import { atom, getDefaultStore } from 'jotai'
import type { toast as Toasting, ToastOptions } from 'react-hot-toast'
import { log } from '../failure/log.ts'

/**
 * Whether the toast library should be loaded. It is not part of the first load: it is fetched on
 * the first user event, or for the first toast.
 */
export const toastsWantedAtom = atom(false)

/** Messages shown without the toast library, because it could not be fetched. */
export const fallbackToastsAtom = atom<{ id: number; words: string }[]>([])

export const fetchToasts = () => import('./toasts.tsx')

const FALLBACK_TOAST_MS = 4000
let lastId = 0

function showFallbackToast(words: string) {
  const store = getDefaultStore()
  lastId += 1
  const one = { id: lastId, words }
  store.set(fallbackToastsAtom, (before) => [...before, one])
  setTimeout(() => store.set(fallbackToastsAtom, ([, ...left]) => left), FALLBACK_TOAST_MS)
}

function show(words: string, showToast: (toast: typeof Toasting) => void) {
  getDefaultStore().set(toastsWantedAtom, true)
  fetchToasts()
    .then(({ toast }) => showToast(toast))
    .catch((error) => {
      log(error)
      showFallbackToast(words)
    })
}

/** Shows a toast, which disappears by itself. */
export const toast = Object.assign(
  (words: string, options?: ToastOptions) => show(words, (toast) => toast(words, options)),
  {
    success: (words: string) => show(words, (toast) => toast.success(words)),
    error: (words: string, options?: ToastOptions) =>
      show(words, (toast) => toast.error(words, options)),
  },
)
