import { atom, useAtomValue } from 'jotai'

const hydratedAtom = atom(false)
hydratedAtom.onMount = (set) => set(true)

/**
 * Whether stored values can be rendered. It becomes true in the same render as the stored session
 * and cart, so nothing flickers after hydration.
 */
export const useHydrated = () => useAtomValue(hydratedAtom)
