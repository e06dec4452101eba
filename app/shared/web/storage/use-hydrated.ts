import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/**
 * Whether stored values can be rendered. It becomes true in the same render as the stored session
 * and cart, so nothing flickers after hydration.
 */
export const useHydrated = () =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
