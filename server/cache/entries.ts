/**
 * The entries of the page cache: answers with their compressed forms, indexed by key and by tag.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type Change, EVERYTHING_TAG } from '#app/shared/server/cache/change-feed-store.ts'

/** The compressed encodings, best first. */
export const ENCODINGS: ('br' | 'gzip')[] = ['br', 'gzip']
type Encoding = (typeof ENCODINGS)[number] | 'identity'

/**
 * An answer in one encoding, with all headers except those of the request: names and values
 * alternate, as `writeHead` takes them.
 */
export type Form = { bytes: Buffer; headers: string[] }

/** A cached answer. Times are performance.now(). */
export type Entry = {
  key: string
  route: string
  status: number
  /** Whether it is the same for every visitor; any other is for one request only. */
  isStored: boolean
  etag: string | undefined
  tags: ReadonlySet<string>
  /** All headers except those of the form and of the request. */
  headers: string[]
  /** Compressed forms are created on demand. */
  forms: Map<Encoding, Form | Promise<Form>>
  isCompressible: boolean
  /** When its render began: it contains every change committed before. */
  madeAt: number
  /** Whether its data has changed, so that it has to be rendered again. */
  isStale: boolean
  /** Until when it may be served stale. */
  expiresAt: number
}

const COMPRESS = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: 18,
      },
    }),
}

/** A copy with its own memory: a slice of a pool would retain the pool. */
export function copyUnpooled(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

async function compress({ headers }: Entry, plain: Form, encoding: 'br' | 'gzip'): Promise<Form> {
  const bytes = copyUnpooled(await COMPRESS[encoding](plain.bytes))
  if (bytes.length >= plain.bytes.length) return plain
  const own = ['content-encoding', encoding, 'content-length', `${bytes.length}`]
  return { bytes, headers: [...headers, ...own] }
}

/** The uncompressed form, which every entry has. */
export function plainFormOf({ forms }: Entry): Form {
  const plain = forms.get('identity')
  if (!plain || plain instanceof Promise) throw new Error('An entry has no uncompressed form.')
  return plain
}

/**
 * The form in an encoding; a promise when it has to be compressed first, after which `made` is
 * called.
 */
function formOf(entry: Entry, encoding: Encoding, made: () => void): Form | Promise<Form> {
  const { forms } = entry
  const wanted = entry.isCompressible ? encoding : 'identity'
  const known = forms.get(wanted)
  if (known) return known
  const plain = plainFormOf(entry)
  if (wanted === 'identity') return plain
  const making = compress(entry, plain, wanted).then(
    (form) => {
      forms.set(wanted, form)
      made()
      return form
    },
    () => {
      // not enough memory to compress: sent as identity, and compressed another time
      forms.delete(wanted)
      return plain
    },
  )
  forms.set(wanted, making)
  return making
}

/** The size in bytes of an entry with all its forms. */
function sizeOf({ key, headers, forms, tags }: Entry): number {
  const overhead = 1000
  const perText = 60
  const perTag = 150
  let size = overhead + 2 * key.length + perTag * tags.size
  for (const form of forms.values()) {
    if (!(form instanceof Promise)) size += form.bytes.length + perText * headers.length
  }
  return size
}

/** Marks an entry, or an answer being rendered, as stale from now on. */
export function markStale(entry: Entry, { tag, stale_ms }: Change, at: number) {
  if (tag !== EVERYTHING_TAG && !entry.tags.has(tag)) return
  entry.isStale = true
  entry.expiresAt = Math.min(entry.expiresAt, at + stale_ms)
}

function indexByTag() {
  const byTag = new Map<string, Set<Entry>>()
  return {
    add(entry: Entry) {
      for (const tag of entry.tags) {
        const tagged = byTag.get(tag)
        if (tagged) tagged.add(entry)
        else byTag.set(tag, new Set([entry]))
      }
    },
    remove(entry: Entry) {
      for (const tag of entry.tags) {
        const tagged = byTag.get(tag)
        tagged?.delete(entry)
        if (tagged?.size === 0) byTag.delete(tag)
      }
    },
    get: (tag: string): Iterable<Entry> => byTag.get(tag) ?? [],
  }
}

/** An LRU cache of entries, limited by bytes. */
export function openEntries(maxBytes: number) {
  const index = indexByTag()
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 8),
    sizeCalculation: sizeOf,
    onInsert: (entry) => index.add(entry),
    dispose: (entry) => index.remove(entry),
  })
  /** Updates the size of an entry; setting the same value alone would not. */
  function resize(key: string) {
    const entry = entries.peek(key)
    if (!entry) return
    entries.delete(key)
    entries.set(key, entry)
  }
  return {
    get: (key: string) => entries.get(key),
    /**
     * Stores an entry. Compressed forms of its predecessor are reused when the answer is the same.
     */
    set(entry: Entry) {
      const previous = entries.peek(entry.key)
      if (previous && previous.madeAt > entry.madeAt) return
      // the headers contain the ETag
      if (previous && `${previous.headers}` === `${entry.headers}`) entry.forms = previous.forms
      entries.set(entry.key, entry)
    },
    delete: (key: string) => entries.delete(key),
    apply(change: Change, at: number) {
      const changed = change.tag === EVERYTHING_TAG ? entries.values() : index.get(change.tag)
      for (const entry of changed) markStale(entry, change, at)
    },
    bytes: () => entries.calculatedSize,
    values: () => [...entries.values()],
    formOf: (entry: Entry, encoding: Encoding) => formOf(entry, encoding, () => resize(entry.key)),
  }
}

export type Entries = ReturnType<typeof openEntries>
