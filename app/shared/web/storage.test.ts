import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storedAtom } from './storage.ts'

const blocked = () => {
  throw new DOMException('No storage here.', 'SecurityError')
}

/** A full storage with `value`. */
const full = (value: string | null) => ({
  getItem: () => value,
  setItem: () => {
    throw new DOMException('No room.', 'QuotaExceededError')
  },
})

let listeners: Map<string, (event: object) => void>

beforeEach(() => {
  listeners = new Map()
  vi.stubEnv('SSR', false)
  vi.stubGlobal('addEventListener', (name: string, listener: (event: object) => void) =>
    listeners.set(name, listener),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const cleanList = (stored: unknown) => (Array.isArray(stored) ? stored.map(Number) : [])

/** A list in the storage, rendered by a page, to which numbers can be added. */
function shownList() {
  const list = storedAtom('list', atom<number[]>([]), cleanList)
  const close = list.listen(() => {})
  const add = (one: number) => list.update((all) => [...all, one])
  return { add, list: list.get, close, open: () => list.listen(() => {}) }
}

it('counts on where the storage is blocked', () => {
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked })
  const { add, list } = shownList()
  add(1)
  add(2)
  expect(list()).toEqual([1, 2])
})

it('counts on from what is stored where the storage is full', () => {
  vi.stubGlobal('localStorage', full('[1]'))
  const { add, list } = shownList()
  add(2)
  add(3)
  expect(list()).toEqual([1, 2, 3])
})

it('keeps what could not be stored while nobody shows it, and through a sleep', () => {
  vi.stubGlobal('localStorage', full(null))
  const { add, list, close, open } = shownList()
  add(1)
  close()
  open()
  listeners.get('pageshow')?.({ persisted: true })
  expect(list()).toEqual([1])
})

it('believes another tab more than what it could not store', () => {
  vi.stubGlobal('localStorage', full('[7]'))
  const { add, list } = shownList()
  add(8)
  listeners.get('storage')?.({ key: 'list' })
  expect(list()).toEqual([7])
})

it('starts from what another tab has stored, before an event tells of it', () => {
  const stored = new Map([['list', '[1]']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  const { add, list } = shownList()
  stored.set('list', '[1,2]')
  add(3)
  expect(list()).toEqual([1, 2, 3])
  expect(stored.get('list')).toBe('[1,2,3]')
})

it('is empty on the server, whatever is stored', () => {
  vi.stubEnv('SSR', true)
  vi.stubGlobal('localStorage', full('[1]'))
  expect(shownList().list()).toEqual([])
  expect(listeners.size).toBe(0)
})

it('has what is stored from the start, and its empty value for the first render', () => {
  vi.stubGlobal('localStorage', full('["1"]'))
  const list = storedAtom('list', atom<number[]>([]), cleanList)
  expect(list.get()).toEqual([1])
  expect(list.init).toEqual([])
})

it('removes its entry, and starts over', () => {
  const stored = new Map([['list', '[1]']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  })
  const list = storedAtom('list', atom<number[]>([]), cleanList)
  list.reset()
  expect(list.get()).toEqual([])
  expect(stored.size).toBe(0)
})
