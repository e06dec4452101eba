import { atom, useAtomValue } from 'jotai'

const hydratedAtom = atom(false)
hydratedAtom.onMount = (set) => set(true)

/**
 * Whether what the browser has stored can be shown. It turns true in the very render that brings
 * the stored session and cart, so nothing flashes between the server's page and the visitor's.
 */
export const useHydrated = () => useAtomValue(hydratedAtom)
