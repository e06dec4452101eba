import type { FastifyInstance } from 'fastify'
import { type InternalRequest, requestInternally } from '../operation/internal-request.ts'
import type { CanonicalUrls } from './canonical-url.ts'
import { type Entries, type Entry, plainFormOf } from './entries.ts'
import { type Renders, renderTargetOf } from './renders.ts'

/** The answer to a call of a page that is being rendered. */
export type CallAnswer = {
  status: number
  /** The value of a header, by its lower-case name. */
  header: (name: string) => string | undefined
  body: Buffer
  /** The cache tags; undefined when the answer must not be cached. */
  tags: ReadonlySet<string> | undefined
}

/** Answers a call of a page that is being rendered. */
export type AnswerCall = (call: InternalRequest) => Promise<CallAnswer>

/** Answers every call by a request inside the process: for a shop without a cache. */
export const uncachedCalls =
  (app: FastifyInstance): AnswerCall =>
  async (call) => {
    const { status, headers, body, tags } = await requestInternally(app, call)
    const isCacheable = status === 200 && headers['cache-control'] !== 'no-store'
    const header = (name: string) => headers[name]
    return { status, header, body, tags: isCacheable ? tags : undefined }
  }

function answerOf(entry: Entry): CallAnswer {
  const { status, headers, tags, isStored } = entry
  const header = (name: string) => {
    const at = headers.findIndex((text, at) => at % 2 === 0 && text === name)
    return at < 0 ? undefined : headers[at + 1]
  }
  return { status, header, body: plainFormOf(entry).bytes, tags: isStored ? tags : undefined }
}

type Parts = {
  urls: CanonicalUrls
  entries: Entries
  renders: Renders
  /** Whether the change feed is up to date. */
  isFollowing: () => boolean
}

/**
 * Answers calls from the cache, and stores their answers. A stale answer is never used. A change that
 * the change feed has not yet reported makes the page stale together with the answer: the page has
 * its tags. Until then, answers from before and after the change may be in one page.
 */
export function cachedCalls(
  app: FastifyInstance,
  { urls, entries, renders, isFollowing }: Parts,
): AnswerCall {
  const uncached = uncachedCalls(app)
  return async (call) => {
    const url = call.method === 'GET' ? urls.find(call.url) : undefined
    if (!url) return uncached(call)
    const target = renderTargetOf(url, undefined)
    const known = entries.get(target.key)
    if (known && !known.isStale && isFollowing()) return answerOf(known)
    const { isLeader, made } = renders.render(target, { id: call.id, from: call.from })
    const entry = await made
    // any other answer, such as a refusal, is only for the visitor who led the render
    return isLeader || entry.isStored ? answerOf(entry) : uncached(call)
  }
}
