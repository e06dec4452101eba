import type { Static, TSchema } from 'typebox'
import type { Access } from './access.ts'
import type { FieldProblem } from './failure.ts'

/**
 * A rate limit; a call above it is answered 429. `address` is the client's address, for IPv6 its
 * /64 network (with four times the limit for its /56 and sixteen times for its /48); `account` is
 * the caller's, or that of the e-mail in a guest's body.
 */
export type Limit = { by: 'address' | 'account'; max: number; seconds: number }

/**
 * The kind of work that a call is for the process. Each kind has its own slots and rates
 * (`server/connections/render-limits.ts`).
 */
export type Cost = 'page' | 'read' | 'search' | 'photo' | 'write' | 'guarded' | 'payment'

/**
 * An endpoint of the API, declared once, as data. The server mounts it, the browser and the
 * server-side renderer call it, OpenAPI is generated from it, and the tests iterate over it.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`, parameters as `:name`. */
  path: `/${string}`
  /** The access level: `ACCESS` says who passes it. */
  access: Access
  /** A public call that knows a signed-in caller; an invalid token is ignored. */
  identifiesCaller?: true
  /** The owned thing that the call acts on: the service checks its owner. */
  owner?: 'caller'
  summary: string
  /** Limits by address and by account; the access level's default replaces a missing one. */
  limits?: readonly Limit[]
  /**
   * The cost of the call, where its access and method do not decide it: `guarded` for users and
   * admins, `read` for a public GET, `write` for another public call.
   */
  cost?: Cost
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /**
   * Rules that a schema cannot say, checked with it, so that the answer names everything that is
   * refused. The body may have fields that the schema refuses.
   */
  rules?(body: object): FieldProblem[]
  /** The body is multipart/form-data; `photo` is its only file. */
  multipart?: true
  /** The body is a file of this type, which the handler reads as a stream. */
  upload?: 'text/csv'
  /** The body is signed JSON, which the handler gets as bytes. */
  raw?: true
  answer: TSchema
  /** A failure repeats its message as `error` (spec §7, the profile). */
  repeatsMessage?: true
  /** The status of success; 200 by default. */
  status?: 201
  /** Its changes are in cached answers and pages before it answers, as those of the staff's calls are. */
  changesPages?: true
  /** The page cache may store the answer; without this declaration it does not. */
  cache?: { tags(answer: unknown, input: object): readonly string[] }
}

/**
 * The fields of an endpoint that the browser has; contracts take the fields of another call from its `body`.
 * The build removes all others (`vite.config.ts`), and the calls of pages are typed by these.
 */
export const BROWSER_FIELDS = [
  'method',
  'path',
  'access',
  'multipart',
  'upload',
  'body',
] as const satisfies readonly (keyof Endpoint)[]

/** What the browser has of an endpoint. Its input and answer are known to the types alone. */
export type BrowserEndpoint = Pick<Endpoint, (typeof BROWSER_FIELDS)[number]>

/** Answers that the page cache may store. */
export type Cached = { cache: NonNullable<Endpoint['cache']> }

/** The endpoints of one domain by name. */
export type Contract = Record<string, Endpoint>

type Part<E, Name extends 'params' | 'query' | 'body'> = E extends {
  [N in Name]: infer S extends TSchema
}
  ? { [N in Name]: Static<S> }
  : { [N in Name]?: undefined }

/** The input of a call: path parameters, query and body. */
export type Input<E extends BrowserEndpoint> = Part<E, 'params'> &
  Part<E, 'query'> &
  Part<E, 'body'>
/** The answer of a successful call. */
export type Answer<E extends BrowserEndpoint> = E extends { answer: infer S extends TSchema }
  ? Static<S>
  : unknown

/** Declares an endpoint with its exact types. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration

/**
 * Declares an endpoint whose answer is the same for every visitor and may be cached. `tags` name
 * the data in the answer: a service that changes such data publishes the tag, which invalidates the
 * answer and every page made of it.
 */
export const cachedEndpoint = <const E extends Endpoint>(
  tags: (answer: Answer<E>, input: Input<E>) => readonly string[],
  declaration: E,
): E & Cached => ({ ...declaration, cache: { tags } })

export const API_PREFIX = '/api/v1'
