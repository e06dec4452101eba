import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import {
  ACCESS,
  type Access,
  isForStaff,
  isOpen,
  type OpenAccess,
  refusalsOf,
} from '../contract/access.ts'
import {
  type Answer,
  API_PREFIX,
  type Cached,
  type Contract,
  type Cost,
  type Endpoint,
  type Input,
  type Limit,
} from '../contract/endpoint.ts'
import { FailureBody } from '../contract/failure.ts'
import { type Caller, type Callers, type Checks, checksOf, type Identify } from './access.ts'
import { setCacheTags } from './cache/cache-tags.ts'
import { aborted } from './failure.ts'
import { type Form, formReader, formSchema } from './input/multipart.ts'
import { acceptBody } from './input/upload.ts'
import { refuseBrokenText, requireRules } from './input/validation.ts'
import { noCounters } from './limits/counters.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The file of a form. */
    photo?: Buffer | undefined
  }
  interface FastifyContextConfig {
    /** The access level of a declared endpoint. */
    access?: Access
    /** The cost of a declared endpoint. */
    cost?: Cost
    /** Whether the page cache may store its answers. */
    isCached?: boolean
    /** Whether the page cache applies its changes before it answers. */
    changesPages?: boolean
    /** Whether its handler reads the body. */
    isUpload?: boolean
    /** Whether its body is JSON, which is collected in memory. */
    isJson?: boolean
  }
}

/** The callers who pass a level, by the table. */
type CallerAt<Level extends Access> = {
  [Kind in keyof Callers]: (typeof ACCESS)[Level][Kind] extends 'passes' ? Callers[Kind] : never
}[keyof Callers]

type CallerOf<E extends Endpoint> = E extends { access: OpenAccess }
  ? E extends { identifiesCaller: true }
    ? Caller | undefined
    : undefined
  : CallerAt<E['access']>

type FileOf<E extends Endpoint> = E extends { multipart: true }
  ? Pick<Form, 'photo'> & { clientLeft: AbortSignal }
  : E extends { upload: string }
    ? { upload: Readable | undefined }
    : E extends { raw: true }
      ? { raw: Buffer | undefined }
      : unknown

/** The value of a response header. */
export type HeaderValue = string | number | string[] | undefined

/** The part of a reply that handlers set beside its body. */
export type ReplyHead = {
  getHeader: (name: string) => HeaderValue
  header: (name: string, value: HeaderValue) => ReplyHead
  headers: (values: Record<string, HeaderValue>) => ReplyHead
  type: (value: string) => ReplyHead
  status: (code: number) => ReplyHead
}

/** A cached call is also made by pages, without a request and a reply of HTTP. */
type HttpOf<E extends Endpoint> = E extends Cached
  ? { request: Pick<FastifyRequest, 'ip' | 'url' | 'headers'>; reply: ReplyHead }
  : {
      request: FastifyRequest
      reply: FastifyReply
      /** For long handlers: throws when the caller has lost access meanwhile. */
      recheckCaller: () => Promise<void>
    }

/** Handles one endpoint. `reply` is for headers and status; the answer is returned. */
export type Handler<E extends Endpoint> = (
  input: Input<E> & FileOf<E> & HttpOf<E> & { caller: CallerOf<E> },
) => Promise<Answer<E>> | Answer<E>

/** A handler as a function of any input. */
export type Handle = (input: object) => unknown

/** One handler for every endpoint of a contract: a missing one does not compile. */
export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> }

/** A contract with its handlers; `serve` has checked their types. */
export type Served = { contract: Contract; handlers: Record<string, Handle> }

/** Combines a contract and its handlers. */
export function serve<C extends Contract>(contract: C, handlers: Handlers<C>): Served {
  const checked: Record<string, (input: never) => unknown> = handlers
  return { contract, handlers: checked as Record<string, Handle> }
}

const formatLimit = ({ by, max, seconds }: Limit) => `${max} in ${seconds} s by ${by}`

const documentation = ({ access, summary, path, limits }: Endpoint) => ({
  summary,
  description: [
    ...refusalsOf(access).map(({ kind, status }) => `Refused: ${kind} (${status}).`),
    ...(limits ? [`At most ${limits.map(formatLimit).join(', ')}.`] : []),
  ].join(' '),
  tags: [path.split('/')[1] ?? ''],
  security: isOpen(access) ? [] : [{ token: [] }],
})

const bodySchema = ({ body, multipart, upload, raw }: Endpoint) => {
  if (upload) return { consumes: [upload] }
  if (raw) return { consumes: ['application/json'] }
  if (!body) return {}
  return multipart ? { body: formSchema(body), consumes: ['multipart/form-data'] } : { body }
}

type ReadForm = ReturnType<typeof formReader>

function costOf({ access, method, cost }: Endpoint): Cost {
  if (cost) return cost
  if (!isOpen(access)) return 'guarded'
  return method === 'GET' ? 'read' : 'write'
}

function routeOptions(declared: Endpoint, readForm: ReadForm, checks: Checks) {
  const { access, params, query, body, answer, multipart, repeatsMessage } = declared
  return {
    ...checks.hooks,
    schema: {
      ...documentation(declared),
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...bodySchema(declared),
      response: { [declared.status ?? 200]: answer, '4xx': FailureBody, '5xx': FailureBody },
    },
    // `requireRules` reports the errors of the schema
    attachValidation: declared.rules !== undefined,
    config: {
      access,
      cost: costOf(declared),
      isCached: declared.cache !== undefined,
      changesPages: declared.changesPages ?? (isForStaff(access) && declared.method !== 'GET'),
      isUpload: declared.upload !== undefined,
      isJson: !declared.upload && !declared.multipart,
      ...(repeatsMessage && { repeatsMessage }),
    },
    preValidation: async (request, reply) => {
      refuseBrokenText(request)
      if (multipart && body && request.isMultipart()) {
        const { fields, photo } = await readForm(request, reply, body)
        request.body = fields
        request.photo = photo
      }
      if (request.isLate) await checks.recheck(request)
    },
  } satisfies RouteShorthandOptions
}

/** A signal that is aborted when the client has left before its answer. */
function leavingOf(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  finished(reply.raw, () => leaving.abort(aborted()))
  return leaving.signal
}

/** The body under the name of its kind. */
function sentIn(
  { upload, raw, multipart }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { body, photo } = request
  if (upload) return { upload: body }
  if (raw) return { raw: body }
  return multipart ? { body, photo, clientLeft: leavingOf(reply) } : { body }
}

/**
 * Mounts the endpoints of a contract. Deny by default: an endpoint without access stops the start.
 */
export function mount(
  app: FastifyInstance,
  { contract, handlers }: Served,
  identify: Identify,
  counters = noCounters,
) {
  const readForm = formReader()
  for (const [name, declared] of Object.entries(contract)) {
    const handle = handlers[name]
    if (!handle) throw new Error(`The endpoint ${name} has no handler.`)
    if (!Object.hasOwn(ACCESS, declared.access))
      throw new Error(`The endpoint ${name} declares no access.`)
    const checks = checksOf(declared, identify, counters)
    const route = {
      method: declared.method,
      url: API_PREFIX + declared.path,
      ...routeOptions(declared, readForm, checks),
      async handler(request: FastifyRequest, reply: FastifyReply) {
        if (declared.rules) requireRules(declared.rules, request)
        reply.status(declared.status ?? 200)
        const { params, query, caller } = request
        const recheckCaller = () => checks.recheck(request)
        const sent = { params, query, ...sentIn(declared, request, reply) }
        const answer = await handle({ ...sent, caller, recheckCaller, request, reply })
        if (declared.cache) setCacheTags(request.raw, declared.cache.tags(answer, sent))
        return answer
      },
    }
    if (!declared.multipart && !declared.upload && !declared.raw) app.route(route)
    else
      app.register(async (scope) => {
        await acceptBody(scope, declared)
        scope.route(route)
      })
  }
}
