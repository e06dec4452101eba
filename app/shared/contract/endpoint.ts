import type { Static, TSchema } from 'typebox'

/** Who may call: anybody, a signed-in user, or an admin (spec §6). */
export const ACCESS = ['public', 'user', 'admin'] as const
export type Access = (typeof ACCESS)[number]

/**
 * How often a call may be made; once more is 429. An `address` is the client's, in IPv6 its /64
 * network (and four times as often its /56, sixteen times its /48); an `account` is the caller's, or
 * that of the e-mail in a guest's body.
 */
export type Limit = { by: 'address' | 'account'; most: number; seconds: number }

/**
 * One call of the API, declared once, as data. The server mounts it, the browser and the
 * server-side renderer call it, OpenAPI is printed from it, and the tests iterate over it.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`, parameters as `:name`. */
  path: `/${string}`
  access: Access
  /** Whose thing it acts on, where that is not everybody's: the service checks the owner. */
  owner?: 'caller'
  summary: string
  /** By address or account; where one of the two is missing, the default of the access holds. */
  limits?: readonly Limit[]
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** How large a JSON body may be, in bytes, where that is more than 64 KiB. */
  bodyLimit?: number
  /** The body is multipart/form-data; `photo` is its only file. */
  multipart?: true
  /** The body is a file of this type, which the handler reads as it comes in. */
  upload?: 'text/csv'
  /** The body is JSON that the handler gets as the bytes it came in: they are signed. */
  raw?: true
  answer: TSchema
  /** A failure carries its message once more, as `error` (spec §7, the profile). */
  repeatsMessage?: true
  /** The status of success, 200 where absent. */
  status?: 201
  /** The answer may be kept by the page cache; without this declaration nothing is kept. */
  cache?: { tags(answer: unknown, input: object): readonly string[] }
}

/** The calls of one domain by their names. */
export type Contract = Record<string, Endpoint>

type Part<E, Name extends 'params' | 'query' | 'body'> = E extends {
  [N in Name]: infer S extends TSchema
}
  ? { [N in Name]: Static<S> }
  : { [N in Name]?: undefined }

/** What a call sends: its path parameters, query and body. */
export type Input<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
/** What a call answers on success. */
export type Answer<E extends Endpoint> = Static<E['answer']>

/** Declares an endpoint and keeps its exact types. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration

/**
 * Declares an endpoint whose answer is the same for every visitor, so that it may be kept. `tags`
 * name what the answer shows: a service that changes one of these publishes the tag, which
 * invalidates the kept answer and every page made of it.
 */
export const cachedEndpoint = <const E extends Endpoint>(
  tags: (answer: Answer<E>, input: Input<E>) => readonly string[],
  declaration: E,
): E => ({ ...declaration, cache: { tags } })

export const API_PREFIX = '/api/v1'
