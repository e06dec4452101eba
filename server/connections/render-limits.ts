/**
 * Limits how many pages and answers are made per network, and how many at once; answers from the cache
 * are not limited. What a call costs is declared on its endpoint.
 */
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import pLimit from 'p-limit'
import { isOpen } from '#app/shared/contract/access.ts'
import type { Cost } from '#app/shared/contract/endpoint.ts'
import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import { type CounterStore, noCounters } from '#app/shared/server/limits/counters.ts'
import {
  type Count,
  countRequest,
  keyOf,
  tooManyRequests,
} from '#app/shared/server/limits/limits.ts'
import { acquireSlot, type Slots, slotsByNetwork } from '#app/shared/server/limits/slots.ts'
import { INTERNAL_ADDRESS } from '../operation/requests.ts'

/** Work at once of the process and of one network, and how much more of a network waits. */
type Concurrency = { concurrent: number; ofNetwork: number; waiting: number }

/** Pages and calls. Networks with slow queries leave slots to others. */
const RENDERING: Concurrency = { concurrent: 8, ofNetwork: 2, waiting: 60 }

/** Searches have their own slots, so that slow ones do not delay pages. */
const SEARCHES: Concurrency = { concurrent: 4, ofNetwork: 2, waiting: 60 }

/** A page shows two dozen photos. They are only read from the database, so more run at once. */
const PHOTOS: Concurrency = { concurrent: 12, ofNetwork: 6, waiting: 500 }

/** Guarded calls: one network cannot occupy the database connections. */
const GUARDED: Concurrency = { concurrent: 32, ofNetwork: 4, waiting: 200 }

/** An embedded database works in this thread. */
const GUARDED_EMBEDDED: Concurrency = { concurrent: 8, ofNetwork: 2, waiting: 200 }

/** Starts of payments, which wait for the provider, and writes of guests, such as log-ins, for hashing. */
const WAITING_CALLS: Concurrency = { concurrent: 64, ofNetwork: 4, waiting: 200 }

/**
 * Node accepts about one new connection per event-loop iteration, so rendering in each would delay
 * new visitors. An idle iteration takes microseconds.
 */
const ITERATIONS = 10

/** When iterations are long, because the process is busy, the wait between two starts ends after this time. */
const MAX_WAIT_MS = 25

/** `max` is for an IPv4 address or /64, a /56 and a /48 of IPv6. */
type Rate = { seconds: number; max: [number, number, number] }

/**
 * Generous to an address, because an office has one; but a /48 as a whole gets no more than one CPU
 * renders beside other work. Pages and photos cost more than calls, so their bursts are limited,
 * too. Searches and calls that write have limits by address in their contract.
 */
const RATES: Partial<Record<Cost, Rate[]>> = {
  page: [
    { seconds: 5, max: [30, 45, 60] },
    { seconds: 60, max: [180, 270, 360] },
  ],
  read: [{ seconds: 60, max: [300, 450, 600] }],
  search: [{ seconds: 60, max: [1200, 1200, 1200] }],
  photo: [
    { seconds: 5, max: [200, 300, 400] },
    { seconds: 60, max: [600, 900, 1200] },
  ],
}

/** `Retry-After` when the queue of a network is full. */
const QUEUE_MS = 5000
const refusal = () => tooManyRequests('Too many requests at once.', QUEUE_MS)

export type RenderHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Counts a render for the visitor's address, and waits for a slot. Returns an idempotent function
 * that releases it. Throws `rate_limited`.
 */
export type Admit = (route: string, ip: string) => Promise<() => void>

/** The counters of a request, of each network of an address, narrowest first. */
const countsOf = (cost: Cost, networks: string[]): Count[] =>
  networks.flatMap((network, width) =>
    (RATES[cost] ?? []).map(({ seconds, max }) => ({
      key: keyOf('render', cost, seconds, network),
      max: max[width] ?? 0,
      seconds,
    })),
  )

/** Waits so many iterations of the event loop, at least one. */
async function waitIterations(count: number) {
  const end = performance.now() + MAX_WAIT_MS
  for (let n = 0; n < count; n++) {
    await setImmediate()
    if (performance.now() > end) return
  }
}

/** Slots shared among networks, with so many iterations of the event loop before each start. */
export function renderSlots({ concurrent, ofNetwork, waiting }: Concurrency, iterations: number) {
  const slots = pLimit(concurrent)
  const startInTurn = pLimit(1)
  const spaced: Slots = (task) =>
    slots(async () => {
      await startInTurn(() => waitIterations(iterations))
      return task()
    })
  return slotsByNetwork({ concurrency: ofNetwork, queue: waiting, refusal }, spaced)
}

type Admitters = Record<Cost, (ip: string) => Promise<() => void>>

function admittersOf(counters: CounterStore, isEmbedded: boolean): Admitters {
  // an embedded database leaves the event loop to others between the calls, too
  const betweenCalls = isEmbedded ? ITERATIONS : 1
  const admitBy = (cost: Cost, slotsOf: (ip: string) => Slots) => async (ip: string) => {
    await countRequest(counters, countsOf(cost, networksOf(ip)))
    return acquireSlot(slotsOf(ip))
  }
  const rendering = renderSlots(RENDERING, ITERATIONS)
  return {
    page: admitBy('page', rendering),
    read: admitBy('read', rendering),
    search: admitBy('search', renderSlots(SEARCHES, ITERATIONS)),
    photo: admitBy('photo', renderSlots(PHOTOS, ITERATIONS)),
    guarded: admitBy('guarded', renderSlots(isEmbedded ? GUARDED_EMBEDDED : GUARDED, betweenCalls)),
    payment: admitBy('payment', renderSlots(WAITING_CALLS, betweenCalls)),
    write: admitBy('write', renderSlots(WAITING_CALLS, betweenCalls)),
  }
}

/** The slots of requests: a request has one at a time. */
function openSlots(admitters: Admitters) {
  const releases = new WeakMap<FastifyRequest, () => void>()
  const hookOf =
    (cost: Cost): RenderHook =>
    async (request, reply) => {
      if (request.socket.remoteAddress === INTERNAL_ADDRESS || releases.has(request)) return
      const release = await admitters[cost](request.ip)
      releases.set(request, release)
      reply.raw.once('close', release)
      if (!reply.raw.closed) return
      // the client disconnected while its request waited
      release()
      throw refusal()
    }
  const release = async (request: FastifyRequest) => {
    releases.get(request)?.()
    releases.delete(request)
  }
  return { hookOf, release }
}

type OpenedSlots = ReturnType<typeof openSlots>

function limitPublicCall(route: RouteOptions, cost: Cost, { hookOf }: OpenedSlots) {
  // with a body, only after it has arrived: a slow client must not occupy a slot
  const at = route.method === 'POST' ? 'preHandler' : 'onRequest'
  route[at] = [route[at] ?? [], hookOf(cost)].flat()
}

/**
 * The slot in which the caller is identified is kept for the handler, unless the body has still to
 * arrive, or the provider to answer: then the handler waits for another one.
 */
function limitGuardedCall(route: RouteOptions, cost: Cost, { hookOf, release }: OpenedSlots) {
  const isUpload = route.config?.isUpload
  const releaseEarly = async (request: FastifyRequest) => {
    if (isUpload || cost !== 'guarded' || !request.raw.complete) await release(request)
  }
  route.onRequest = [hookOf('guarded'), route.onRequest ?? [], releaseEarly].flat()
  if (!isUpload) route.preHandler = [route.preHandler ?? [], hookOf(cost)].flat()
}

/**
 * Limits every declared call. Returns the hook that limits pages, and the function by which the cache
 * admits a visitor before its internal request, which is not limited.
 */
export function limitRendering(
  app: FastifyInstance,
  counters: CounterStore,
  isEmbedded: boolean,
): { limitPages: RenderHook; admit: Admit } {
  if (counters === noCounters) return { limitPages: async () => {}, admit: async () => () => {} }
  const admitters = admittersOf(counters, isEmbedded)
  const slots = openSlots(admitters)
  const costs = new Map<string, Cost>()
  app.addHook('onRoute', (route) => {
    const { access, cost } = route.config ?? {}
    if (cost === undefined) return
    costs.set(route.url, cost)
    if (access && isOpen(access)) limitPublicCall(route, cost, slots)
    else limitGuardedCall(route, cost, slots)
  })
  // released when the answer is ready: a client that reads slowly does not occupy a slot
  app.addHook('onSend', slots.release)
  // before the error handler, which delays a refusal: its client does not occupy a slot meanwhile
  app.addHook('onError', slots.release)
  return {
    limitPages: slots.hookOf('page'),
    admit: (route, ip) => admitters[costs.get(route) ?? 'page'](ip),
  }
}
