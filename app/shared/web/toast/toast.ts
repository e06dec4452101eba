import { atom, getDefaultStore } from 'jotai'
import type { toast as Toasting, ToastOptions } from 'react-hot-toast'
import { log } from '../failure/log.ts'

/**
 * Whether toasts may be needed soon. What makes and draws them is no part of the first visit: it
 * is fetched when the visitor first does anything, or for the first toast.
 */
export const toastsWantedAtom = atom(false)

/** What has to be said without a toast, because what draws them could not be fetched. */
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

/** Says something in a toast, which goes by itself. */
export const toast = Object.assign(
  (words: string, options?: ToastOptions) => show(words, (toast) => toast(words, options)),
  {
    success: (words: string) => show(words, (toast) => toast.success(words)),
    error: (words: string, options?: ToastOptions) =>
      show(words, (toast) => toast.error(words, options)),
  },
)
