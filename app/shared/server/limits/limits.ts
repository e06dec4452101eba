import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Access, isOpen } from '#app/shared/contract/access.ts'
import type { Endpoint, Limit } from '#app/shared/contract/endpoint.ts'
import { type Failure, rateLimited } from '../failure.ts'
import { emailKey, networksOf } from './client-keys.ts'
import type { CounterStore } from './counters.ts'

/** Keys are hashed: they are short, and no e-mail is stored. */
export const keyOf = (...parts: (string | number)[]) =>
  hash('sha256', JSON.stringify(parts), 'base64url')

const formatDuration = (seconds: number) => {
  const [amount, unit] = seconds > 120 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** The failure with the remaining wait; `why` is a sentence. */
export function tooManyRequests(why: string, leftMs: number): Failure {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000))
  return rateLimited(`${why} Try again in ${formatDuration(seconds)}.`, seconds)
}

/** A counter and its limit: `max` requests in `seconds`. */
export type Count = { key: string; max: number; seconds: number }

/**
 * Counts a request, one counter after the other; throws `rate_limited` above a limit, and does not count
 * for the counters that follow. While one of them is above its limit, none is touched: a network that is
 * refused costs nothing, and makes no counters of its addresses.
 */
export async function countRequest(counters: CounterStore, counts: Count[]): Promise<void> {
  const { blockedUntil } = counters
  const refuse = (leftMs: number) => tooManyRequests('Too many requests.', leftMs)
  for (const { key } of counts) {
    const leftMs = (blockedUntil.get(key) ?? 0) - Date.now()
    if (leftMs > 0) throw refuse(leftMs)
  }
  for (const { key, max, seconds } of counts) {
    const { count, leftMs } = await counters.add(key, 1, seconds)
    if (count <= max) continue
    blockedUntil.set(key, Date.now() + leftMs)
    throw refuse(leftMs)
  }
}

/**
 * Counts attempts, whose results are not known yet, one counter after the other. Above a limit it throws
 * `rate_limited` with `why`, and counts nothing. Returns the function that subtracts attempts again.
 */
export async function countAttempts(
  counters: CounterStore,
  counts: Count[],
  why: string,
  attempts = 1,
): Promise<(attempts: number) => Promise<void>> {
  const subtract = async (points: number, from = counts) => {
    await Promise.all(from.map(({ key, seconds }) => counters.add(key, -points, seconds)))
  }
  for (const [at, { key, max, seconds }] of counts.entries()) {
    const { count, leftMs } = await counters.add(key, attempts, seconds)
    if (count <= max) continue
    await subtract(attempts, counts.slice(0, at + 1))
    throw tooManyRequests(why, leftMs)
  }
  return (points) => subtract(points)
}

export type Limiter = {
  /** Counts by address, before the request is processed. */
  byAddress(request: Pick<FastifyRequest, 'ip'>): Promise<void>
  /** Counts by account: the caller's, else the e-mail in the body. */
  byAccount(request: FastifyRequest, userId: string | null): Promise<void>
}

/** The account of a guest's call: the e-mail in its body. */
const namedIn = (body: unknown) => {
  const { email } = Object(body)
  return typeof email === 'string' ? emailKey(email) : ''
}

/** The factors of the limit for the networks of an address, narrowest first. */
const WIDER = [1, 4, 16]

/**
 * Creates the limiter of an endpoint; it throws `rate_limited` above a limit. An e-mail is counted
 * per address, so that a stranger cannot use up its owner's attempts.
 */
export function limiterOf(
  counters: CounterStore,
  { method, path, limits = [] }: Pick<Endpoint, 'method' | 'path' | 'limits'>,
): Limiter {
  const countsOf = (by: Limit['by'], times: number, ...subject: string[]): Count[] =>
    limits
      .filter((limit) => limit.by === by)
      .map(({ max, seconds }) => ({
        key: keyOf(method, path, by, seconds, ...subject),
        max: max * times,
        seconds,
      }))
  // narrowest network first: a refused request does not count for the wider networks
  const countsFrom = (by: Limit['by'], address: string, ...subject: string[]) =>
    networksOf(address).flatMap((network, at) => countsOf(by, WIDER[at] ?? 1, ...subject, network))
  return {
    byAddress: ({ ip }) => countRequest(counters, countsFrom('address', ip)),
    byAccount: ({ ip, body }, userId) =>
      countRequest(
        counters,
        userId ? countsOf('account', 1, userId) : countsFrom('account', ip, namedIn(body)),
      ),
  }
}

/**
 * The limit of all guarded calls together. It is generous, because an address is counted before its
 * callers are known, and an office shares one. Requests with invalid tokens count, too.
 */
export const GUARDED_CALLS = {
  method: 'GET',
  path: '/*',
  limits: [{ by: 'address', max: 3000, seconds: 60 }],
} satisfies Pick<Endpoint, 'method' | 'path' | 'limits'>

const DEFAULTS: Record<Access, readonly Limit[]> = {
  public: [{ by: 'address', max: 3000, seconds: 60 }],
  user: [{ by: 'account', max: 120, seconds: 60 }],
  admin: [{ by: 'account', max: 300, seconds: 60 }],
}

/**
 * The limits of an endpoint: its own, or the defaults of its access level. A public GET has no
 * default, because the page cache and the render limits bound it.
 */
export function limitsOf({
  method,
  access,
  limits = [],
}: Pick<Endpoint, 'method' | 'access' | 'limits'>): Limit[] {
  if (isOpen(access) && method === 'GET') return [...limits]
  const missing = DEFAULTS[access].filter(({ by }) => !limits.some((own) => own.by === by))
  return [...limits, ...missing]
}
