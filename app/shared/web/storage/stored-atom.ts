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

/** Whether it could be stored: a full or forbidden storage keeps nothing. */
function tryToStore(write: (storage: Storage) => void): boolean {
  try {
    write(localStorage)
    return true
  } catch {
    return false
  }
}

type Outside = { written: () => void; awake: () => void }

/** Calls back when another tab has written, and when a page that slept comes back. */
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
 * Browser state that lives in local storage as JSON, the same in every tab. Anybody can write
 * there, so `clean` makes a proper value of whatever is found. The first render has `empty`, as
 * on the server, and the stored value comes right after it. RESET removes the entry. An update
 * by function starts from what is stored now, not from what this tab saw last. What could not be
 * stored lives on in this tab, until another tab writes.
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
