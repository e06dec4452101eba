/**
 * The page cache. It stands in front of the framework: public pages and answers are made once and
 * served from memory until something that they show changes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Schema } from '#db/schema.ts'
import type { Admit } from '../connections/render-limits.ts'
import type { CanonicalUrl, CanonicalUrls } from './canonical-url.ts'
import { afterAdminChanges, type ChangeFeed, followChanges } from './change-feed.ts'
import { ENCODINGS, type Entries, type Entry, openEntries } from './entries.ts'
import { openRenders, type Renders, type Requester, type Wanted } from './renders.ts'
import { isPlain, requesterOf, visitorOf } from './request-facts.ts'
import { type Exchange, openSender, type Sender, type SenderOptions } from './sender.ts'

/** Entries are served for so long after the last word of the change feed, and no longer. */
const MAX_FEED_SILENCE_MS = 60_000
/** An admin who changed something gets no stale entry for so long. */
const EDITOR_MS = 60_000

/** Handles what is not served from memory: the framework. */
type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Answers a request, by itself or through the framework. */
export type Front = (request: IncomingMessage, response: ServerResponse, handle: Handle) => void

export type PageCache = {
  answer: Front
  /** How many bytes it holds. */
  bytes: () => number
  entries: () => Entry[]
}

type Options = SenderOptions & {
  urls: CanonicalUrls
  maxBytes: number
  db: Kysely<Schema>
  /** Admits a visitor to a render; throws where that was too often. */
  admit: Admit
}

type Parts = {
  entries: Entries
  renders: Renders
  editors: LRUCache<string, true>
  /** Whether it is known what has changed. */
  isFollowing: () => boolean
  options: Options
}

const wantedOf = (url: CanonicalUrl, { headers }: IncomingMessage): Wanted => {
  const type = url.typeFor?.(headers.accept)
  return { url, type, key: type === undefined ? url.url : `${type} ${url.url}` }
}

/** Sends an entry in the encoding that the client prefers; the first request compresses it. */
function entrySender(entries: Entries, send: Sender) {
  const negotiator = new Negotiator({
    supportedValues: ENCODINGS,
    cache: new LRUCache<string, string>({ max: 200 }),
  })
  return (exchange: Exchange, entry: Entry): void => {
    const accepted = exchange.request.headers['accept-encoding']
    const encoding = accepted === undefined ? null : negotiator.negotiate(String(accepted))
    const form = entries.formOf(entry, encoding ?? 'identity')
    if (!(form instanceof Promise)) send(exchange, entry, form)
    else form.then((made) => send(exchange, entry, made)).catch(() => exchange.response.destroy())
  }
}

/**
 * Makes stale entries anew in the background: one after the other, with a pause as long as each
 * took, so that visitors come first.
 */
function refresher({ entries, renders, options: { idOf } }: Parts) {
  const queued = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  async function refresh(wanted: Wanted, by: Requester) {
    queued.delete(wanted.key)
    if (!entries.get(wanted.key)?.isStale) return
    const began = performance.now()
    await renders.render(wanted, by).made
    await setTimeout(performance.now() - began, undefined, { ref: false })
  }

  return (wanted: Wanted, request: IncomingMessage) => {
    if (queued.has(wanted.key)) return
    queued.add(wanted.key)
    const by = requesterOf(request, idOf(request))
    // a failure is left to the next visitor
    last = last.then(() => refresh(wanted, by)).catch(() => {})
  }
}

/** Whether an entry may be served to this visitor now. */
function servable({ isFollowing, editors, options: { isTrusted } }: Parts) {
  return (entry: Entry, request: IncomingMessage, now: number) => {
    if (!isFollowing()) return false
    if (!entry.isStale) return true
    return now < entry.expiresAt && !editors.has(visitorOf(requesterOf(request, ''), isTrusted))
  }
}

/**
 * Makes what is wanted. A visitor is admitted before the render can be joined, so one who is over
 * the limit keeps nobody waiting. Undefined where the framework has to answer this visitor.
 */
function maker({ entries, renders, isFollowing, options: { isTrusted, admit } }: Parts) {
  return async (
    { request, response, id }: Required<Exchange>,
    wanted: Wanted,
  ): Promise<Entry | undefined> => {
    const by = requesterOf(request, id)
    const release = renders.isUnderWay(wanted.key)
      ? () => {}
      : await admit(wanted.url.route, visitorOf(by, isTrusted))
    const former = entries.get(wanted.key)
    if (response.closed || (former && isFollowing() && !former.isStale)) {
      release()
      return former
    }
    const { isLeader, made } = renders.render(wanted, by)
    // a visitor who only waits needs no place
    if (!isLeader) release()
    const entry = await made.finally(release)
    // a former answer is better than a failure of the shop
    if (entry.status >= 500 && former && isFollowing()) return former
    return isLeader || entry.isStored ? entry : undefined
  }
}

function answerer(parts: Parts): Front {
  const { entries, options } = parts
  const { stopping, meters, urls, idOf } = options
  const send = entrySender(entries, openSender(options))
  const [make, refresh, isServable] = [maker(parts), refresher(parts), servable(parts)]

  function makeAndSend(came: Exchange, wanted: Wanted, handle: Handle) {
    const { request, response } = came
    // an answer that is for this visitor alone may contain the id
    const exchange = { ...came, id: idOf(request) }
    make(exchange, wanted)
      .then((entry) => (entry ? send(exchange, entry) : handle(request, response)))
      // a visitor who is not admitted is refused by the framework
      .catch(() => (response.headersSent ? response.destroy() : handle(request, response)))
  }

  return (request, response, handle) => {
    const isUsual = isPlain(request) && !stopping.isStopping()
    const url = isUsual ? urls.find(request.url ?? '') : undefined
    if (!url) return handle(request, response)
    const exchange = { request, response, came: performance.now() }
    const wanted = wantedOf(url, request)
    const entry = entries.get(wanted.key)
    const isHit = entry !== undefined && isServable(entry, request, exchange.came)
    meters?.cacheLookup('pages', isHit)
    if (!isHit) return makeAndSend(exchange, wanted, handle)
    send(exchange, entry)
    if (entry.isStale) refresh(wanted, request)
  }
}

/** Opens the cache. It stores from the first word of the change feed, when the app listens. */
export function openPageCache(app: FastifyInstance, options: Options): PageCache {
  const { maxBytes, db } = options
  let feed: ChangeFeed | undefined
  const isFollowing = () =>
    feed !== undefined && performance.now() - feed.lastWordAt() < MAX_FEED_SILENCE_MS
  const entries = openEntries(maxBytes)
  const renders = openRenders(app, entries, isFollowing)
  const editors = new LRUCache<string, true>({ max: 1000, ttl: EDITOR_MS })
  app.addHook('onListen', async () => {
    const apply: Parameters<typeof followChanges>[1] = (changes) => {
      const now = performance.now()
      for (const change of changes) entries.apply(change, now)
      if (changes.length > 0) renders.apply(changes, now)
    }
    feed = followChanges(db, apply, app.log)
  })
  app.addHook('onClose', async () => feed?.close())
  afterAdminChanges(app, async ({ ip }) => {
    editors.set(ip, true)
    // a poll that fails is repeated by the job
    await feed?.catchUp().catch(() => {})
  })
  const answer = answerer({ entries, renders, editors, isFollowing, options })
  return { answer, bytes: entries.bytes, entries: entries.values }
}
