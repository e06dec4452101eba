import { atom, getDefaultStore } from 'jotai'
import type { toast as Toasting, ToastOptions } from 'react-hot-toast'
import { log } from '../failure/log.ts'

/**
 * Whether toasts may be needed soon. What makes and draws them is no part of the first visit: it
 * is fetched when the visitor first does anything, or for the first toast.
 */
export const toastsWantedAtom = atom(false)

/** What has to be said without a toast, because what draws them could not be fetched. */
export const plainWordsAtom = atom<{ id: number; words: string }[]>([])

export const fetchToasts = () => import('./toasts.tsx')

const PLAIN_WORDS_MS = 4000
let said = 0

function sayPlainly(words: string) {
  const store = getDefaultStore()
  said += 1
  const one = { id: said, words }
  store.set(plainWordsAtom, (before) => [...before, one])
  setTimeout(() => store.set(plainWordsAtom, ([, ...left]) => left), PLAIN_WORDS_MS)
}

function tell(words: string, say: (toast: typeof Toasting) => void) {
  getDefaultStore().set(toastsWantedAtom, true)
  fetchToasts()
    .then(({ toast }) => say(toast))
    .catch((error) => {
      log(error)
      sayPlainly(words)
    })
}

/** Says something in a toast, which goes by itself. */
export const toast = Object.assign(
  (words: string, options?: ToastOptions) => tell(words, (toast) => toast(words, options)),
  {
    success: (words: string) => tell(words, (toast) => toast.success(words)),
    error: (words: string, options?: ToastOptions) =>
      tell(words, (toast) => toast.error(words, options)),
  },
)
