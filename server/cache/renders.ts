import type { FastifyInstance } from 'fastify'
import type { Change } from '#app/shared/server/cache/change-feed-store.ts'
import { type InternalResponse, requestInternally } from '../operation/internal-request.ts'
import type { CanonicalUrl } from './canonical-url.ts'
import { copyUnpooled, type Entries, type Entry, markStale } from './entries.ts'
import { etagOf, REVALIDATE } from './validators.ts'

/** A render that takes longer is not joined: it may never end. */
const LONGEST_JOINED_MS = 30_000

/** The visitor of a render: the request id and the addresses. */
export type Requester = { id: string; from: string }

/** A canonical URL with the media type for the client. */
export type RenderTarget = { key: string; url: CanonicalUrl; type?: string | undefined }

/** What a client that accepts these media types gets at a canonical URL. */
export function renderTargetOf(url: CanonicalUrl, accept: string | undefined): RenderTarget {
  const type = url.typeFor?.(accept)
  return { url, type, key: type === undefined ? url.url : `${type} ${url.url}` }
}

type Render = { entry: Promise<Entry>; began: number; changes: [change: Change, at: number][] }

const OF_REQUEST = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'x-request-id']
const OF_FORM = ['content-length', 'content-encoding', 'vary']

const SMALLEST_COMPRESSED = 1024
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

function entryOf({ key, url }: RenderTarget, answer: InternalResponse, madeAt: number): Entry {
  const { tags } = answer
  const isStored = tags !== undefined && isPublic(answer) && isOfItsVersion(url, answer)
  const bytes = copyUnpooled(answer.body)
  const isCompressible =
    bytes.length >= SMALLEST_COMPRESSED && TEXT.test(answer.headers['content-type'] ?? '')
  const validators = isStored && { 'cache-control': REVALIDATE, etag: etagOf(bytes) }
  const all = { ...validators, ...answer.headers }
  const headers = Object.entries(all)
    .filter(([name]) => !OF_REQUEST.includes(name) && !OF_FORM.includes(name))
    .flat()
    .concat(varyOf(answer, isCompressible))
  const plain = { bytes, headers: [...headers, 'content-length', `${bytes.length}`] }
  return {
    key,
    route: url.route,
    status: answer.status,
    isStored,
    etag: all.etag,
    tags: tags ?? new Set(),
    headers,
    forms: new Map([['identity', plain]]),
    isCompressible,
    madeAt,
    isStale: false,
    expiresAt: Number.POSITIVE_INFINITY,
  }
}

type RenderInProgress = Pick<Render, 'began' | 'changes'>

/**
 * Renders an answer without any header of the visitor's, so that none can reach the cache, and
 * stores it.
 */
function entryMaker(app: FastifyInstance, entries: Entries, mayStore: () => boolean) {
  return async (
    wanted: RenderTarget,
    by: Requester,
    { began, changes }: RenderInProgress,
  ): Promise<Entry> => {
    const { key, url, type } = wanted
    const headers = { ...(type !== undefined && { accept: type }) }
    const answer = await requestInternally(app, { method: 'GET', url: url.url, headers, ...by })
    const entry = entryOf(wanted, answer, began)
    for (const [change, at] of changes) markStale(entry, change, at)
    if (entry.isStored && mayStore()) entries.set(entry)
    // the URL has another answer now, unless the shop could not answer
    if (!entry.isStored && entry.status < 500 && entry.status !== 429) entries.delete(key)
    return entry
  }
}

/**
 * Renders answers inside the process and stores cacheable ones. Concurrent requests for the same
 * key share one render (request coalescing). A render that began before a change is not joined
 * after it.
 */
export function openRenders(app: FastifyInstance, entries: Entries, mayStore: () => boolean) {
  const make = entryMaker(app, entries, mayStore)
  const running = new Set<Render>()
  const joinable = new Map<string, Render>()

  /** The running render that requests for this key may join. */
  function underWay(key: string): Render | undefined {
    const render = joinable.get(key)
    return render && performance.now() - render.began < LONGEST_JOINED_MS ? render : undefined
  }

  return {
    isUnderWay: (key: string) => underWay(key) !== undefined,
    /** Renders an answer, or joins a running render; `isLeader` says which. */
    render(wanted: RenderTarget, by: Requester): { isLeader: boolean; made: Promise<Entry> } {
      const { key } = wanted
      const joined = underWay(key)
      if (joined) return { isLeader: false, made: joined.entry }
      const begun: RenderInProgress = { began: performance.now(), changes: [] }
      const render: Render = { ...begun, entry: make(wanted, by, begun) }
      running.add(render)
      joinable.set(key, render)
      const made = render.entry.finally(() => {
        running.delete(render)
        if (joinable.get(key) === render) joinable.delete(key)
      })
      return { isLeader: true, made }
    },
    /** Applies committed changes: running renders may or may not contain them. */
    apply(changes: Change[], at: number) {
      for (const { changes: missed } of running)
        missed.push(...changes.map((change): [Change, number] => [change, at]))
      joinable.clear()
    },
  }
}

export type Renders = ReturnType<typeof openRenders>
