import { useStore as useCurrent } from '@nanostores/react'
import type { Atom, PreinitializedWritableAtom, StoreValue } from 'nanostores'
import { useSyncExternalStore } from 'react'

type Clean<Value> = (stored: unknown) => Value

type Stored = {
  key: string
  /** Where the value is stored; a blocked storage throws. */
  storage: () => Storage
}

function readStored<Value>({ key, storage }: Stored, empty: Value, clean: Clean<Value>): Value {
  try {
    const text = storage().getItem(key)
    return text === null ? empty : clean(JSON.parse(text))
  } catch {
    return empty
  }
}

/** Whether the value could be written: the storage may be full or blocked. */
function tryToStore({ key, storage }: Stored, text: string | null): boolean {
  try {
    if (text === null) storage().removeItem(key)
    else storage().setItem(key, text)
    return true
  } catch {
    return false
  }
}

type Outside = { written: () => void; awake: () => void }

/**
 * Calls back when another tab writes, and when the page is restored from the back/forward cache.
 */
function onOutsideChange(key: string, { written, awake }: Outside) {
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) written()
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) awake()
  })
}

/**
 * Stores an atom as JSON, in local storage shared by all tabs, or in another `storage`. On the server
 * the atom keeps its initial value, which means that nothing is stored; in the browser it has the
 * stored value, which follows the first render (`useStore`). Other scripts can write there, so
 * `clean` validates every value read. `update` gets the value stored now. `reset` removes the entry.
 * A value that could not be written stays in this tab until another tab writes.
 */
export function storedAtom<Value>(
  key: string,
  shown: PreinitializedWritableAtom<Value>,
  clean: Clean<Value>,
  storage = () => localStorage,
) {
  const { value: empty, set: show } = shown
  const stored = { key, storage }
  let unsaved: { value: Value } | null = null
  const current = () => (unsaved ? unsaved.value : readStored(stored, empty, clean))
  const write = (value: Value, text: string | null) => {
    unsaved = tryToStore(stored, text) ? null : { value }
    show(value)
  }
  const set = (value: Value) => write(value, JSON.stringify(value))
  if (!import.meta.env.SSR) {
    show(current())
    onOutsideChange(key, {
      written() {
        unsaved = null
        show(current())
      },
      awake: () => show(current()),
    })
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
