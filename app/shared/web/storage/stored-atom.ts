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

/** A full or forbidden storage keeps nothing, and the page works on with what it has. */
function tryToStore(write: (storage: Storage) => void) {
  try {
    write(localStorage)
  } catch {}
}

/** Calls back when another tab has written, or when a page that slept comes back. */
function onOutsideChange(key: string, changed: () => void) {
  const written = (event: StorageEvent) => {
    if (event.key === key || event.key === null) changed()
  }
  const shown = (event: PageTransitionEvent) => {
    if (event.persisted) changed()
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
 * by function starts from what is stored now, not from what this tab saw last.
 */
export function storedAtom<Value>(key: string, empty: Value, clean: (stored: unknown) => Value) {
  const read = () => readStored(key, empty, clean)
  const shown = atomWithStorage<Value>(key, empty, {
    getItem: read,
    setItem: (_, value) => tryToStore((storage) => storage.setItem(key, JSON.stringify(value))),
    removeItem: () => tryToStore((storage) => storage.removeItem(key)),
    subscribe: (_, show) => onOutsideChange(key, () => show(read())),
  })
  return atom(
    (get) => get(shown),
    (_get, set, update: Update<Value>) =>
      set(shown, update instanceof Function ? update(read()) : update),
  )
}
