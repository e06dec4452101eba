/**
 * The page cache, in front of the framework: public pages and answers are rendered once and served
 * from memory until their data changes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { EVERYTHING_TAG } from '#app/shared/server/cache/change-feed-store.ts'
import type { Schema } from '#db/schema.ts'
import type { Admit } from '../connections/render-limits.ts'
import type { Headers } from '../headers.ts'
import type { Meters } from '../operation/metrics.ts'
import type { Stopping } from '../operation/shutdown.ts'
import { type IsTrusted, visitorOf } from '../operation/trusted-proxies.ts'
import type { CanonicalUrls } from './canonical-url.ts'
import { afterPageChanges, type ChangeFeed, followChanges } from './change-feed.ts'
import { openValues, type Values } from './memory-cache.ts'
import {
  ENCODINGS,
  type Entry,
  type Form,
  openRenderedAnswers,
  type RenderedAnswers,
  type RenderTarget,
  type Requester,
  renderTargetOf,
} from './rendered-answers.ts'
import { cameByTls, hasETag, isPlain, parsedHeader } from './request-facts.ts'

/** Entries are served until this long after the last successful poll of the change feed. */
const MAX_FEED_DELAY_MS = 60_000
/** For this long after a change, an admin gets no stale entry. */
const EDITOR_MS = 60_000

/** The share of the memory for values, such as answers to calls of pages: few of them are in many pages. */
const SHARE_OF_VALUES = 0.25

/** Handles requests that the cache does not: the framework. */
type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Answers a request, from the cache or through the framework. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
) => void

export type PageCache = {
  answer: RequestHandler
  /** Parts of answers, such as answers to calls of pages. */
  values: Values
  /** Applies every change that was committed before. */
  catchUp: () => Promise<void>
  /** Makes every answer anew from now on. */
  clear: () => void
  /** The bytes in use. */
  bytes: () => number
  entries: () => Entry[]
}

type Options = {
  urls: CanonicalUrls
  maxBytes: number
  db: Kysely<Schema>
  /** Admits a visitor to a render; throws above the render limits. */
  admit: Admit
  isTrusted: IsTrusted
  idOf: (request: IncomingMessage) => string
  /** Other origins that may read the answers. */
  origins: ReadonlySet<string>
  /** The header of answers to requests by TLS. */
  hsts: Headers
  stopping: Stopping
  meters?: Meters | undefined
}

/** A request on its way through the cache. */
type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** When the request arrived, by performance.now(). */
  came: number
  id: string
}

type Parts = {
  entries: RenderedAnswers
  editors: LRUCache<string, true>
  /** Whether the change feed is up to date. */
  isFollowing: () => boolean
  options: Options
}

const MS = 1000

/** Sends answers without the framework, with the headers that it would add. */
function sender({ isTrusted, origins, hsts, stopping, meters }: Options) {
  const [hstsHeader = []] = Object.entries(hsts)
  /** The headers of this request alone. */
  function requestHeaders({ request, id }: Exchange): string[] {
    const own = ['x-request-id', id]
    const { origin } = request.headers
    if (origin !== undefined && origins.has(origin)) own.push('access-control-allow-origin', origin)
    if (cameByTls(request, isTrusted)) own.push(...hstsHeader)
    if (stopping.isStopping()) own.push('connection', 'close')
    return own
  }

  /** Sends an entry in this form, or 304 when the client has it. */
  return (exchange: Exchange, entry: Entry, form: Form) => {
    const { request, response, came } = exchange
    const { method = '' } = request
    const isKnown = entry.etag !== undefined && hasETag(entry.etag, request)
    const status = isKnown ? 304 : entry.status
    response.writeHead(status, (isKnown ? entry : form).headers.concat(requestHeaders(exchange)))
    if (isKnown || method === 'HEAD') response.end()
    else response.end(form.bytes)
    meters?.answered({ method, route: entry.route, status }, (performance.now() - came) / MS)
  }
}

/** Sends an entry in the encoding that the client prefers, compressing it at the first request. */
function entrySender({ entries, options }: Parts) {
  const send = sender(options)
  const negotiator = new Negotiator({
    supportedValues: ENCODINGS,
    cache: new LRUCache<string, string>({ max: 200 }),
  })
  return (exchange: Exchange, entry: Entry): void => {
    const accepted = parsedHeader(exchange.request, 'accept-encoding')
    const encoding = accepted === undefined ? null : negotiator.negotiate(accepted)
    const form = entries.formOf(entry, encoding ?? 'identity')
    if (!(form instanceof Promise)) send(exchange, entry, form)
    else form.then((made) => send(exchange, entry, made)).catch(() => exchange.response.destroy())
  }
}

/**
 * Renders stale entries again in the background, one after the other, with a pause as long as each
 * took, so that requests have priority.
 */
function refresher({ entries, options: { isTrusted } }: Parts) {
  const queued = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  async function refresh(wanted: RenderTarget, by: Requester) {
    queued.delete(wanted.key)
    if (!entries.get(wanted.key)?.isStale) return
    const began = performance.now()
    await entries.render(wanted, by).made
    await setTimeout(performance.now() - began, undefined, { ref: false })
  }

  return (wanted: RenderTarget, { request, id }: Exchange) => {
    if (queued.has(wanted.key)) return
    queued.add(wanted.key)
    const by = { id, ip: visitorOf(request, isTrusted) }
    // after a failure, the next visitor triggers it again
    last = last.then(() => refresh(wanted, by)).catch(() => {})
  }
}

/** Whether an entry may be served to this visitor now. */
const servable =
  ({ isFollowing, editors, options: { isTrusted } }: Parts) =>
  ({ isStale, expiresAt }: Entry, { request, came }: Exchange) =>
    isFollowing() && (!isStale || (came < expiresAt && !editors.has(visitorOf(request, isTrusted))))

/**
 * Renders an answer. A visitor is admitted before the render can be joined, so one above the limit
 * delays no others. Undefined when the framework has to answer this visitor.
 */
function maker({ entries, isFollowing, options: { isTrusted, admit } }: Parts) {
  return async ({ request, response, id }: Exchange, wanted: RenderTarget) => {
    const by = { id, ip: visitorOf(request, isTrusted) }
    const release = entries.isUnderWay(wanted.key) ? () => {} : await admit(wanted.url.route, by.ip)
    const former = entries.get(wanted.key)
    if (response.closed || (former && isFollowing() && !former.isStale)) {
      release()
      return former
    }
    const { isLeader, made } = entries.render(wanted, by)
    // a request that only joins a render needs no slot
    if (!isLeader) release()
    const entry = await made.finally(release)
    // a stale answer is better than an error
    if (entry.status >= 500 && former && isFollowing()) return former
    return isLeader || entry.isStored ? entry : undefined
  }
}

function answerer(parts: Parts): RequestHandler {
  const { entries, options } = parts
  const { stopping, meters, urls, idOf } = options
  const send = entrySender(parts)
  const make = maker(parts)
  const refresh = refresher(parts)
  const isServable = servable(parts)

  function makeAndSend(exchange: Exchange, wanted: RenderTarget, handle: Handle) {
    const { request, response } = exchange
    make(exchange, wanted)
      .then((entry) => (entry ? send(exchange, entry) : handle(request, response)))
      // the framework refuses a visitor who is not admitted
      .catch(() => (response.headersSent ? response.destroy() : handle(request, response)))
  }

  return (request, response, handle) => {
    const isUsual = isPlain(request) && !stopping.isStopping()
    const url = isUsual ? urls.find(request.url ?? '') : undefined
    if (!url) return handle(request, response)
    const exchange = { request, response, came: performance.now(), id: idOf(request) }
    const wanted = renderTargetOf(url, parsedHeader(request, 'accept'))
    const entry = entries.get(wanted.key)
    const isHit = entry !== undefined && isServable(entry, exchange)
    meters?.cacheLookup('pages', isHit)
    if (!isHit) return makeAndSend(exchange, wanted, handle)
    send(exchange, entry)
    if (entry.isStale) refresh(wanted, exchange)
  }
}

/**
 * Opens the cache. It stores entries from the first poll of the change feed on, after the app
 * listens.
 */
export function openPageCache(app: FastifyInstance, options: Options): PageCache {
  const { maxBytes, db } = options
  let feed: ChangeFeed | undefined
  const isFollowing = () =>
    feed !== undefined && performance.now() - feed.lastPolledAt() < MAX_FEED_DELAY_MS
  const ofValues = Math.floor(maxBytes * SHARE_OF_VALUES)
  const entries = openRenderedAnswers(app, maxBytes - ofValues, isFollowing)
  const values = openValues(ofValues, isFollowing)
  const editors = new LRUCache<string, true>({ max: 1000, ttl: EDITOR_MS })
  const apply: Parameters<typeof followChanges>[1] = (changes) => {
    const now = performance.now()
    entries.apply(changes, now)
    values.apply(changes, now)
  }
  app.addHook('onListen', async () => {
    feed = followChanges(db, apply, app.log)
  })
  app.addHook('onClose', async () => feed?.close())
  afterPageChanges(app, async ({ ip }) => {
    editors.set(ip, true)
    // the job repeats a failed poll
    await feed?.catchUp().catch(() => {})
  })
  return {
    answer: answerer({ entries, editors, isFollowing, options }),
    values,
    catchUp: async () => feed?.catchUp(),
    clear: () => apply([{ tag: EVERYTHING_TAG, stale_ms: 0 }]),
    bytes: () => entries.bytes() + values.bytes(),
    entries: entries.values,
  }
}
