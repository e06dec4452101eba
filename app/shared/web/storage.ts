import { useStore as useCurrent } from '@nanostores/react'
import type { Atom, PreinitializedWritableAtom, StoreValue } from 'nanostores'
import { useSyncExternalStore } from 'react'

/**
 * Stores an atom as JSON, in local storage shared by all tabs, or in another `storage`, which may be full
 * or blocked. On the server the atom keeps its initial value, which means that nothing is stored; in the
 * browser it has the stored value, which follows the first render (`useStore`). Other scripts can write
 * there, so `clean` validates every value read. `update` gets the value stored now. `reset` removes the
 * entry. A value that could not be written stays in this tab until another tab writes.
 */
export function storedAtom<Value>(
  key: string,
  shown: PreinitializedWritableAtom<Value>,
  clean: (stored: unknown) => Value,
  storage = () => localStorage,
) {
  const { value: empty, set: show } = shown
  let unsaved: { value: Value } | null = null
  const current = () => {
    if (unsaved) return unsaved.value
    try {
      const text = storage().getItem(key)
      return text === null ? empty : clean(JSON.parse(text))
    } catch {
      return empty
    }
  }
  const write = (value: Value, text: string | null) => {
    unsaved = null
    try {
      if (text === null) storage().removeItem(key)
      else storage().setItem(key, text)
    } catch {
      unsaved = { value }
    }
    show(value)
  }
  const set = (value: Value) => write(value, JSON.stringify(value))
  if (!import.meta.env.SSR) {
    show(current())
    // another tab has written
    addEventListener('storage', (event) => {
      if (event.key !== key && event.key !== null) return
      unsaved = null
      show(current())
    })
    // the page is restored from the back/forward cache
    addEventListener('pageshow', ({ persisted }) => persisted && show(current()))
  }
  return Object.assign(shown, {
    set,
    update: (change: (before: Value) => Value) => set(change(current())),
    reset: () => write(empty, null),
  })
}

/**
 * The value of a store. The first render in the browser has the initial value, as on the server, and
 * the current value follows immediately.
 */
export const useStore = <Store extends Atom>(store: Store): StoreValue<Store> =>
  useCurrent(store, { ssr: 'initial' })

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
