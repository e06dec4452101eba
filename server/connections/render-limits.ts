/** How much one network may have made for it that is not kept: pages and answers. */
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { productCalls } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import { API_PREFIX, type Endpoint, type Limit } from '#app/shared/contract/endpoint.ts'
import { limiterOf, tooSoon } from '#app/shared/server/limits/limits.ts'
import { noTally, type Tally } from '#app/shared/server/limits/tally.ts'
import { networkOf } from '#app/shared/server/limits/who.ts'
import { isUnlimited } from '../operation/ask-inside.ts'

type Bounds = {
  /** Made at once, for one network in one process. */
  running: number
  /** Requests that wait for that; one more is refused. */
  waiting: number
}

/** Few at once, so that a flood waits behind itself and everybody else's page is made between. */
export const MADE_AT_ONCE: Bounds = { running: 2, waiting: 60 }

/** A page shows two dozen photos, which are read and not made. */
const PHOTOS_AT_ONCE: Bounds = { running: 6, waiting: 500 }

const perMinute = (most: number): Limit[] => [{ by: 'address', most, seconds: 60 }]

/** An office is one network, and so is a crawler. A search has limits of its own. */
export const RENDER_LIMITS = {
  page: perMinute(180),
  call: perMinute(300),
  search: [],
  photo: [],
}

type Kind = keyof typeof RENDER_LIMITS

/** After so long the queue of a network has moved on. */
const QUEUE_MS = 5000
/** What is refused is answered so late: a flood of refusals would be a flood, too. Slower ones are logged. */
const REFUSAL_MS = 700

const BUSY = 'Too much was asked for at once.'

type Queue = { running: number; waiting: (() => void)[] }

/**
 * Takes a place for a network, or waits for one behind the same network's requests. Answers how to
 * give it back, which counts once; throws `rate_limited` where too many wait already.
 */
export function placesOf({ running, waiting }: Bounds) {
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

/** What is made for whom; undefined for what is bounded elsewhere, or is nobody's own address. */
function kindOf(method: unknown, url: string): Kind | undefined {
  const isAt = ({ path }: Endpoint) => url === API_PREFIX + path
  if (isAt(productCalls.productPhoto)) return 'photo'
  if (Object.values<Endpoint>(searchCalls).some(isAt)) return 'search'
  return method === 'GET' || isAt(productCalls.filterProducts) ? 'call' : undefined
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
 * Limits every public call that only reads, and answers the hook that limits pages. What is asked
 * for inside the process is limited only on behalf of a visitor who waits for it.
 */
export function limitRendering(app: FastifyInstance, tally: Tally): RenderHook {
  const held = new WeakMap<FastifyRequest, () => void>()
  const takePlace = placesOf(MADE_AT_ONCE)
  const hookOf = (kind: Kind): RenderHook => {
    const take = kind === 'photo' ? placesOf(PHOTOS_AT_ONCE) : takePlace
    const limits = RENDER_LIMITS[kind]
    const rate = limiterOf(tally, { method: 'GET', path: `/${kind}`, limits })
    return async (request, reply) => {
      if (isUnlimited(request.raw)) return
      const release = await refusedLate(async () => {
        await rate.byAddress(request)
        return take(networkOf(request.ip))
      })
      held.set(request, release)
      reply.raw.once('close', release)
      if (!reply.raw.closed) return
      // given up while it waited: nothing is made for it
      release()
      throw tooSoon(BUSY, QUEUE_MS)
    }
  }
  if (tally === noTally) return async () => {}
  const hooks = { call: hookOf('call'), search: hookOf('search'), photo: hookOf('photo') }
  app.addHook('onRoute', (route) => {
    const kind = route.config?.access === 'public' ? kindOf(route.method, route.url) : undefined
    if (kind && kind !== 'page') route.onRequest = [route.onRequest ?? [], hooks[kind]].flat()
  })
  // made, though not sent yet: how fast somebody reads is not how much is made for them
  app.addHook('onSend', async (request) => held.get(request)?.())
  return hookOf('page')
}
