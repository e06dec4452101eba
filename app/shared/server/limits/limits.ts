import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint, Limit } from '#app/shared/contract/endpoint.ts'
import { type Failure, rateLimited } from '../failure.ts'
import { emailKey, networksOf } from './client-keys.ts'
import type { CounterStore } from './counters.ts'

/** Keys are hashed: they are short, and no e-mail is stored. */
export const keyOf = (...parts: (string | number)[]) =>
  hash('sha256', JSON.stringify(parts), 'base64url')

const inWords = (seconds: number) => {
  const [amount, unit] = seconds > 120 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** The failure with the remaining wait; `why` is a sentence. */
export function tooSoon(why: string, leftMs: number): Failure {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000))
  return rateLimited(`${why} Try again in ${inWords(seconds)}.`, seconds)
}

/** The account of a guest's call: the e-mail in its body. */
const namedIn = (body: unknown) => {
  const { email } = Object(body)
  return typeof email === 'string' ? emailKey(email) : ''
}

export type Limiter = {
  /** Counts by address, before the request is processed. */
  byAddress(request: Pick<FastifyRequest, 'ip'>): Promise<void>
  /** Counts by account: the caller's, else the e-mail in the body. */
  byAccount(request: FastifyRequest, userId?: string): Promise<void>
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
  const count = async (by: Limit['by'], times: number, ...subject: string[]) => {
    for (const { most, seconds } of limits.filter((limit) => limit.by === by)) {
      const key = keyOf(method, path, by, seconds, ...subject)
      const { count, leftMs } = await counters.add(key, 1, seconds)
      if (count > most * times) throw tooSoon('Too many requests.', leftMs)
    }
  }
  // narrowest network first: a refused request does not count for the wider networks
  const countFrom = async (by: Limit['by'], address: string, ...subject: string[]) => {
    for (const [at, network] of networksOf(address).entries()) {
      await count(by, WIDER[at] ?? 1, ...subject, network)
    }
  }
  return {
    byAddress: ({ ip }) => countFrom('address', ip),
    byAccount: ({ ip, body }, userId) =>
      userId ? count('account', 1, userId) : countFrom('account', ip, namedIn(body)),
  }
}
