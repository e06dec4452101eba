import type { IncomingMessage } from 'node:http'

const tagsOf = new WeakMap<object, ReadonlySet<string>>()

/** Declares that the answer to this request may be cached, with its tags. */
export const setCacheTags = (request: IncomingMessage, tags: Iterable<string>) =>
  tagsOf.set(request, new Set(tags))

/** The cache tags of the answer to a request; undefined when the answer must not be cached. */
export const cacheTagsOf = (request: object): ReadonlySet<string> | undefined => tagsOf.get(request)
