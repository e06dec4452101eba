/** Limits how many pages and answers are made for one network; what is kept in memory is not limited. */
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { productCalls } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import { API_PREFIX, type Endpoint, type Limit } from '#app/shared/contract/endpoint.ts'
import { type CounterStore, noCounters } from '#app/shared/server/limits/counters.ts'
import { limiterOf, tooSoon } from '#app/shared/server/limits/limits.ts'
import { networkOf } from '#app/shared/server/limits/who.ts'
import { isInside } from '../operation/ask-inside.ts'

type Bounds = {
  /** How many requests of one network a process works on at once. */
  running: number
  /** How many more of that network's requests wait; one more than that is refused. */
  waiting: number
}

/** Few at once: pages of other networks are made between those of one that floods. */
const MADE_AT_ONCE: Bounds = { running: 2, waiting: 60 }

/** A page shows two dozen photos. They are only read from the database, so more may run at once. */
const PHOTOS_AT_ONCE: Bounds = { running: 6, waiting: 500 }

const perMinute = (most: number): Limit[] => [{ by: 'address', most, seconds: 60 }]

/** Generous, because an office is one network. Searches have limits in their contract. */
const RENDER_LIMITS = {
  page: perMinute(180),
  call: perMinute(300),
  search: [],
  photo: [],
}

type Kind = keyof typeof RENDER_LIMITS

/** What `Retry-After` says where the queue of a network is full. */
const QUEUE_MS = 5000
/** A refusal is sent this late, so that a client cannot ask again at once. Requests above 1 s are logged. */
const REFUSAL_MS = 700

const BUSY = 'Too much was asked for at once.'

type Queue = { running: number; waiting: (() => void)[] }

/**
 * Takes a place for a network, or waits for one behind the same network's requests. Answers how to
 * give it back, which counts once; throws `rate_limited` where too many wait already.
 */
function placesOf({ running, waiting }: Bounds) {
  const queues = new Map<string, Queue>()
  return async (network: string): Promise<() => void> => {
    const queue = queues.get(network) ?? { running: 0, waiting: [] }
    queues.set(network, queue)
    if (queue.running < running) queue.running += 1
    else if (queue.waiting.length < waiting)
      await new Promise<void>((enter) => queue.waiting.push(enter))
    else throw tooSoon(BUSY, QUEUE_MS)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = queue.waiting.shift()
      if (next) return next()
      queue.running -= 1
      if (queue.running === 0) queues.delete(network)
    }
  }
}

/** Which limits apply to a public call; none to one that writes, which has limits in its contract. */
function kindOf(method: unknown, url: string): Exclude<Kind, 'page'> | undefined {
  const isAt = ({ path }: Endpoint) => url === API_PREFIX + path
  if (isAt(productCalls.productPhoto)) return 'photo'
  if (Object.values<Endpoint>(searchCalls).some(isAt)) return 'search'
  const reads = method === 'GET' || method === 'HEAD' || isAt(productCalls.filterProducts)
  return reads ? 'call' : undefined
}

async function refusedLate<Result>(take: () => Promise<Result>): Promise<Result> {
  try {
    return await take()
  } catch (refusal) {
    await setTimeout(REFUSAL_MS)
    throw refusal
  }
}

export type RenderHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Counts what is made for the address of a visitor, and waits for a place. Answers how to give the
 * place back, which counts once. Throws `rate_limited`.
 */
export type Admit = (route: string, ip: string) => Promise<() => void>

function admitterOf(counters: CounterStore) {
  const takePlace = placesOf(MADE_AT_ONCE)
  const admitAs = (kind: Kind) => {
    const take = kind === 'photo' ? placesOf(PHOTOS_AT_ONCE) : takePlace
    const limits = RENDER_LIMITS[kind]
    const rate = limiterOf(counters, { method: 'GET', path: `/${kind}`, limits })
    return async (ip: string) => {
      await rate.byAddress({ ip })
      return take(networkOf(ip))
    }
  }
  return {
    page: admitAs('page'),
    call: admitAs('call'),
    search: admitAs('search'),
    photo: admitAs('photo'),
  }
}

/**
 * Limits every public call that only reads. Answers the hook that limits pages, and how the cache
 * admits a visitor before it asks the app inside the process, where nothing is limited.
 */
export function limitRendering(
  app: FastifyInstance,
  counters: CounterStore,
): { limitPages: RenderHook; admit: Admit } {
  if (counters === noCounters) return { limitPages: async () => {}, admit: async () => () => {} }
  const admitters = admitterOf(counters)
  const held = new WeakMap<FastifyRequest, () => void>()
  const hookOf =
    (kind: Kind): RenderHook =>
    async (request, reply) => {
      if (isInside(request.raw)) return
      const release = await refusedLate(() => admitters[kind](request.ip))
      held.set(request, release)
      reply.raw.once('close', release)
      if (!reply.raw.closed) return
      // the client left while its request waited
      release()
      throw tooSoon(BUSY, QUEUE_MS)
    }
  const hooks = { call: hookOf('call'), search: hookOf('search'), photo: hookOf('photo') }
  app.addHook('onRoute', (route) => {
    const kind = route.config?.access === 'public' ? kindOf(route.method, route.url) : undefined
    if (kind) route.onRequest = [route.onRequest ?? [], hooks[kind]].flat()
  })
  // the place is free when the answer is made: a client that reads slowly does not hold it
  app.addHook('onSend', async (request) => held.get(request)?.())
  return {
    limitPages: hookOf('page'),
    admit: (route, ip) => {
      const kind = route.startsWith(API_PREFIX) ? kindOf('GET', route) : 'page'
      return admitters[kind ?? 'page'](ip)
    },
  }
}
