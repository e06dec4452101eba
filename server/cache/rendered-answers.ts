/** Whole answers as bytes: how they are rendered for the page cache, and in which encodings kept. */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { CanonicalUrl } from './canonical-url.ts'
import { type InternalResponse, requestInternally } from './internal-request.ts'
import { type CachedAnswer, fresh, openMemoryCache } from './memory-cache.ts'

/** The compressed encodings, best first. */
export const ENCODINGS: ('br' | 'gzip')[] = ['br', 'gzip']
type Encoding = (typeof ENCODINGS)[number] | 'identity'

/**
 * An answer in one encoding, with all headers except those of the request: names and values
 * alternate, as `writeHead` takes them.
 */
export type Form = { bytes: Buffer; headers: string[] }

/** A cached answer. */
export type Entry = CachedAnswer & {
  route: string
  status: number
  etag: string | undefined
  /** All headers except those of the form and of the request. */
  headers: string[]
  /** Made on demand. A text that has a compressed form is kept in no other: it takes a fifth. */
  forms: Map<Encoding, Form | Promise<Form>>
  isCompressible: boolean
}

/** The visitor of a render: the request id and the address. */
export type Requester = { id: string; ip: string }

/** A canonical URL with the media type for the client. */
export type RenderTarget = { key: string; url: CanonicalUrl; type?: string | undefined }

/** The render for a client that accepts these media types at a canonical URL. */
export function renderTargetOf(url: CanonicalUrl, accept: string | undefined): RenderTarget {
  const type = url.typeFor?.(accept)
  return { url, type, key: type === undefined ? url.url : `${type} ${url.url}` }
}

const OF_REQUEST = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'x-request-id']
const OF_FORM = ['content-length', 'content-encoding', 'vary']

const MIN_COMPRESSED_BYTES = 1024
const TEXT = /^(text\/|application\/(javascript|([\w.]+\+)?(json|xml))|image\/svg)/

/** Whether the answer is the same for every visitor, by its status and headers. */
const isPublic = ({ status, headers }: InternalResponse) =>
  status === 200 &&
  !headers['set-cookie'] &&
  !/no-store|private/.test(headers['cache-control'] ?? '')

/** Whether a photo is of the requested version; only then is its answer immutable. */
const isOfItsVersion = ({ url }: CanonicalUrl, { headers }: InternalResponse) =>
  !/[?&]v=/.test(url) || String(headers['cache-control']).includes('immutable')

function varyOf({ headers }: InternalResponse, isCompressible: boolean): string[] {
  const names = (headers.vary ?? '').split(',').map((name) => name.trim())
  const others = names.filter((name) => name !== '' && name.toLowerCase() !== 'accept-encoding')
  const all = isCompressible ? [...others, 'Accept-Encoding'] : others
  return all.length > 0 ? ['vary', all.join(', ')] : []
}

/** A copy with its own memory: a slice of a pool would retain the pool. */
function copyUnpooled(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

function entryOf({ key, url }: RenderTarget, answer: InternalResponse, madeAt: number): Entry {
  const { tags } = answer
  const isStored = tags !== undefined && isPublic(answer) && isOfItsVersion(url, answer)
  const bytes = copyUnpooled(answer.body)
  const isCompressible =
    bytes.length >= MIN_COMPRESSED_BYTES && TEXT.test(answer.headers['content-type'] ?? '')
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !OF_REQUEST.includes(name) && !OF_FORM.includes(name))
    .flat()
    .concat(varyOf(answer, isCompressible))
  return {
    key,
    route: url.route,
    status: answer.status,
    isStored,
    etag: answer.headers.etag,
    tags: tags ?? new Set(),
    headers,
    forms: new Map([['identity', plainFormOf(bytes, headers)]]),
    isCompressible,
    ...fresh(madeAt),
  }
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

const DECOMPRESS = { gzip: promisify(gunzip), br: promisify(brotliDecompress) }

const plainFormOf = (bytes: Buffer, headers: string[]): Form => ({
  bytes,
  headers: [...headers, 'content-length', `${bytes.length}`],
})

/** The uncompressed form: the kept one, or made of a compressed one. */
async function findPlain({ forms, headers }: Entry): Promise<Form> {
  for (const encoding of ['identity', ...ENCODINGS] as const) {
    const form = forms.get(encoding)
    if (!form || form instanceof Promise) continue
    if (encoding === 'identity') return form
    return plainFormOf(await DECOMPRESS[encoding](form.bytes), headers)
  }
  throw new Error('An entry has no form.')
}

/** Compresses an entry, which then forgets its uncompressed form, unless it is no larger. */
async function compress(entry: Entry, encoding: 'br' | 'gzip'): Promise<Form> {
  const { forms, headers } = entry
  const plain = await findPlain(entry)
  const bytes = copyUnpooled(await COMPRESS[encoding](plain.bytes))
  if (bytes.length >= plain.bytes.length) {
    entry.isCompressible = false
    forms.delete(encoding)
    return plain
  }
  const own = ['content-encoding', encoding, 'content-length', `${bytes.length}`]
  const form = { bytes, headers: [...headers, ...own] }
  forms.set(encoding, form)
  forms.delete('identity')
  return form
}

/**
 * The form in an encoding; a promise when it has to be made first. `resized` is called when the
 * entry has become smaller or larger.
 */
function formOf(entry: Entry, encoding: Encoding, resized: () => void): Form | Promise<Form> {
  const { forms } = entry
  const wanted = entry.isCompressible ? encoding : 'identity'
  const known = forms.get(wanted)
  if (known) return known
  if (wanted === 'identity') return findPlain(entry)
  const making = compress(entry, wanted)
    .catch(() => {
      // not enough memory to compress: sent as identity, and compressed another time
      forms.delete(wanted)
      return findPlain(entry)
    })
    .finally(resized)
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

/**
 * Opens the whole answers that the cache keeps. They are rendered without any header of the
 * visitor's, so that none can reach the cache.
 */
export function openRenderedAnswers(
  app: FastifyInstance,
  maxBytes: number,
  mayStore: () => boolean,
) {
  const cache = openMemoryCache<Entry>({
    maxBytes,
    sizeOf,
    mayStore,
    // the headers contain the ETag
    reuse(former, next) {
      if (`${former.headers}` === `${next.headers}`) next.forms = former.forms
    },
  })
  const make = async (target: RenderTarget, by: Requester, madeAt: number) => {
    const { key, url, type } = target
    const headers = { ...(type !== undefined && { accept: type }) }
    const answer = await requestInternally(app, { url: url.url, headers, ...by })
    const entry = entryOf(target, answer, madeAt)
    // the URL has another answer now, unless the shop could not answer
    if (!entry.isStored && entry.status < 500 && entry.status !== 429) cache.delete(key)
    return entry
  }
  return {
    ...cache,
    /** Renders an answer and stores a cacheable one, or joins a running render. */
    render: (target: RenderTarget, by: Requester) =>
      cache.render(target.key, (madeAt) => make(target, by, madeAt)),
    formOf: (entry: Entry, encoding: Encoding) =>
      formOf(entry, encoding, () => cache.resize(entry.key)),
  }
}

export type RenderedAnswers = ReturnType<typeof openRenderedAnswers>
