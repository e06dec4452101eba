import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint, Limit } from '#app/shared/contract/endpoint.ts'
import { type Failure, rateLimited } from '../failure.ts'
import { emailKey, networksOf } from './client-keys.ts'
import type { CounterStore } from './counters.ts'

/** Keys are hashed: they are short then, and no e-mail is stored. */
export const keyOf = (...parts: (string | number)[]) =>
  hash('sha256', JSON.stringify(parts), 'base64url')

const inWords = (seconds: number) => {
  const [amount, unit] = seconds > 120 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** The failure of whoever has to wait so long; `why` is a sentence. */
export function tooSoon(why: string, leftMs: number): Failure {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000))
  return rateLimited(`${why} Try again in ${inWords(seconds)}.`, seconds)
}

/** The account that a guest's call is about: that of the e-mail in its body. */
const namedIn = (body: unknown) => {
  const { email } = Object(body)
  return typeof email === 'string' ? emailKey(email) : ''
}

export type Limiter = {
  /** Counts by address: before anything else is done for the request. */
  byAddress(request: Pick<FastifyRequest, 'ip'>): Promise<void>
  /** Counts by account: the caller's, else that which the body names. */
  byAccount(request: FastifyRequest, userId?: string): Promise<void>
}

/** How many times as often may be called from each network of an address, from the narrowest on. */
const WIDER = [1, 4, 16]

/**
 * Makes what counts the calls of an endpoint; it throws `rate_limited` for one too many. An e-mail
 * is counted for each address by itself: a stranger may not use up what its owner has.
 */
export function limiterOf(
  counters: CounterStore,
  { method, path, limits = [] }: Pick<Endpoint, 'method' | 'path' | 'limits'>,
): Limiter {
  const count = async (by: Limit['by'], times: number, ...subject: string[]) => {
    for (const { most, seconds } of limits.filter((limit) => limit.by === by)) {
      const key = keyOf(method, path, by, seconds, ...subject)
      const { count, leftMs } = await counters.add(key, 1, seconds)
      if (count > most * times) throw tooSoon('That was too often.', leftMs)
    }
  }
  // from the narrowest on: what is refused there uses up nothing of its neighbours'
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
