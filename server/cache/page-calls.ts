/** The calls of pages that are being rendered: functions, whose answers are kept as objects. */
import { isOpen } from '#app/shared/contract/access.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import type { Trace } from '#app/shared/server/domain-module.ts'
import { validationFailure } from '#app/shared/server/errors.ts'
import { noSuchAddress } from '#app/shared/server/failure.ts'
import type { Schemas } from '#app/shared/server/input/validation.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { limiterOf, limitsOf } from '#app/shared/server/limits/limits.ts'
import type { Handle, HeaderValue, ReplyHead, Served } from '#app/shared/server/mount.ts'
import { address, type CallInput } from '#app/shared/web/call.ts'
import type { CanonicalUrls } from './canonical-url.ts'
import type { Values } from './memory-cache.ts'

/** The answer to a call of a page, as it would be over HTTP. It must not be changed: pages share it. */
export type PageAnswer = {
  answer: unknown
  /** The total of a list that answers with a bare array. */
  total: number
  /** The cache tags; null when the answer must not be cached. */
  tags: ReadonlySet<string> | null
}

/** A call, whose limits count the visitor of this address. */
type PageCall = (input: CallInput, ip: string) => Promise<PageAnswer & { size: number }>

/** Makes a call of a page. Throws the failure that the API would answer. */
export type CallForPage = (
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  input: CallInput,
  ip: string,
) => Promise<PageAnswer>

type Context = { counters: CounterStore; schemas: Schemas; trace: Trace | undefined }

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

/** Freezes a value from JSON with everything in it. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) freeze(part)
  Object.freeze(value)
}

const isGiven = ([, value]: [string, unknown]) => value !== undefined

/** Validates the input as that of a request is; numbers may be text. */
function inputCheck({ params, query }: Endpoint, { validatorOf }: Schemas) {
  const checkOf = (schema: object | undefined, part: 'params' | 'querystring') => {
    const validate = schema && validatorOf(schema, part)
    return (given: object = {}) => {
      const value = Object.fromEntries(Object.entries(given).filter(isGiven))
      const found = validate?.(value) ?? true
      if (found !== true) throw validationFailure(found.error, part)
      return value
    }
  }
  const checkParams = checkOf(params, 'params')
  const checkQuery = checkOf(query, 'querystring')
  return (input: CallInput) => ({
    params: checkParams(input.params),
    query: checkQuery(input.query),
  })
}

/** A reply of which only the headers matter, by lower-case name. */
function collectHeaders(): { reply: ReplyHead; headers: Map<string, HeaderValue> } {
  const headers = new Map<string, HeaderValue>()
  const reply: ReplyHead = {
    getHeader: (name) => headers.get(name.toLowerCase()),
    header(name, value) {
      headers.set(name.toLowerCase(), value)
      return reply
    },
    headers(values) {
      for (const [name, value] of Object.entries(values)) reply.header(name, value)
      return reply
    },
    type: (value) => reply.header('content-type', value),
    status: () => reply,
  }
  return { reply, headers }
}

function pageCallOf(
  declared: Endpoint,
  handle: Handle,
  { counters, schemas, trace }: Context,
): PageCall {
  const url = API_PREFIX + declared.path
  const limiter = limiterOf(counters, { ...declared, limits: limitsOf(declared) })
  const validated = inputCheck(declared, schemas)
  const serialize = schemas.serializerOf(declared.answer)
  const call: PageCall = async (input, ip) => {
    await limiter.byAddress({ ip })
    const sent = validated(input)
    const { reply, headers } = collectHeaders()
    const made = await handle({ ...sent, request: { ip, url, headers: {} }, reply })
    // what the schema does not declare is left out, and dates become texts, as over HTTP
    const text = serialize(made)
    const answer: unknown = JSON.parse(text)
    freeze(answer)
    const isCacheable = headers.get('cache-control') !== 'no-store'
    return {
      answer,
      total: Number(headers.get('x-total-count') ?? 0),
      tags: isCacheable ? new Set(declared.cache?.tags(made, sent)) : null,
      size: 2 * text.length,
    }
  }
  return trace ? (...given) => trace(`${declared.method} ${url}`, () => call(...given)) : call
}

/**
 * The calls that pages may make: public ones that read, and whose answers are the same for every
 * visitor.
 */
function callsOf(served: Served[], context: Context): Map<string, PageCall> {
  const calls = new Map<string, PageCall>()
  for (const { contract, handlers } of served)
    for (const [name, declared] of Object.entries(contract)) {
      const handle = handlers[name]
      const { access, method, cache } = declared
      if (isOpen(access) && method === 'GET' && cache && handle)
        calls.set(nameOf(declared), pageCallOf(declared, handle, context))
    }
  return calls
}

/**
 * Makes calls by their handlers, or answers them from the cache. A stale answer is never used. A
 * change that the change feed has not yet reported makes the page stale together with the answer:
 * the page has its tags. Until then, answers from before and after the change may be in one page.
 */
export function openPageCalls(
  served: Served[],
  context: Context & { urls: CanonicalUrls; values: Values | undefined },
): CallForPage {
  const { urls, values } = context
  const calls = callsOf(served, context)
  return async (endpoint, input, ip) => {
    const call = calls.get(nameOf(endpoint))
    if (!call) throw noSuchAddress()
    const url = values && urls.find(address(endpoint, input.params, input.query))?.url
    return url ? values.keep(url, () => call(input, ip)) : call(input, ip)
  }
}
