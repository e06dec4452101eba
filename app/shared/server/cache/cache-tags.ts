import type { IncomingMessage } from 'node:http'

const tagsOf = new WeakMap<object, ReadonlySet<string>>()

/** Declares that the answer to this request may be kept, and what it shows. */
export const setCacheTags = (request: IncomingMessage, tags: Iterable<string>) =>
  tagsOf.set(request, new Set(tags))

/** The tags of the answer to a request; undefined where the answer must not be kept. */
export const cacheTagsOf = (request: object): ReadonlySet<string> | undefined => tagsOf.get(request)
