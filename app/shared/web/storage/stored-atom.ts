import { atom } from 'jotai'
import { atomWithStorage, type RESET } from 'jotai/utils'

type Update<Value> = Value | typeof RESET | ((before: Value) => Value)

function readStored<Value>(key: string, empty: Value, clean: (stored: unknown) => Value): Value {
  try {
    const text = localStorage.getItem(key)
    return text === null ? empty : clean(JSON.parse(text))
  } catch {
    return empty
  }
}

/** Whether the value could be written: the storage may be full or blocked. */
function tryToStore(write: (storage: Storage) => void): boolean {
  try {
    write(localStorage)
    return true
  } catch {
    return false
  }
}

type Outside = { written: () => void; awake: () => void }

/**
 * Calls back when another tab writes, and when the page is restored from the back/forward cache.
 */
function onOutsideChange(key: string, { written: changed, awake }: Outside) {
  const written = (event: StorageEvent) => {
    if (event.key === key || event.key === null) changed()
  }
  const shown = (event: PageTransitionEvent) => {
    if (event.persisted) awake()
  }
  addEventListener('storage', written)
  addEventListener('pageshow', shown)
  return () => {
    removeEventListener('storage', written)
    removeEventListener('pageshow', shown)
  }
}

/**
 * State in local storage as JSON, shared by all tabs. Other scripts can write there, so `clean`
 * validates every value read. The first render has `empty`, as on the server, and the stored value
 * follows immediately. RESET removes the entry. An update by function gets the value stored now. A
 * value that could not be written stays in this tab until another tab writes.
 */
export function storedAtom<Value>(key: string, empty: Value, clean: (stored: unknown) => Value) {
  let unsaved: { value: Value } | null = null
  const current = () => (unsaved ? unsaved.value : readStored(key, empty, clean))
  const update = (value: Value, write: (storage: Storage) => void) => {
    unsaved = tryToStore(write) ? null : { value }
  }
  const shown = atomWithStorage<Value>(key, empty, {
    getItem: current,
    setItem: (_, value) => update(value, (storage) => storage.setItem(key, JSON.stringify(value))),
    removeItem: () => update(empty, (storage) => storage.removeItem(key)),
    subscribe: (_, show) =>
      onOutsideChange(key, {
        written() {
          unsaved = null
          show(current())
        },
        awake: () => show(current()),
      }),
  })
  return atom(
    (get) => get(shown),
    (_get, set, update: Update<Value>) =>
      set(shown, update instanceof Function ? update(current()) : update),
  )
}
