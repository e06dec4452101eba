import { useStore as useCurrent } from '@nanostores/react'
import type { Atom, StoreValue } from 'nanostores'

/**
 * The value of a store. The first render in the browser has the initial value, as on the server, and
 * the current value follows immediately.
 */
export const useStore = <Store extends Atom>(store: Store): StoreValue<Store> =>
  useCurrent(store, { ssr: 'initial' })
