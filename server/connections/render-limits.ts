/**
 * Limits how many pages and answers are rendered per network; answers from the cache are not
 * limited. Guarded calls of a network take turns with those of other networks.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { paymentCalls } from '#app/payments/contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { networksOf, widestNetworkOf } from '#app/shared/server/limits/client-keys.ts'
import { type CounterStore, noCounters } from '#app/shared/server/limits/counters.ts'
import { type Count, countRequest, keyOf, tooSoon } from '#app/shared/server/limits/limits.ts'
import { INTERNAL_ADDRESS } from '../operation/requests.ts'
import { type EnterQueue, renderQueue } from './render-queue.ts'

/**
 * Node accepts about one new connection per event-loop iteration, so rendering in each would delay
 * new visitors. An idle iteration takes microseconds.
 */
const iterationsBefore = 10

/** Pages and calls. Networks with slow queries leave slots to others. */
const RENDERING = { concurrent: 8, concurrentOfNetwork: 2, waitingOfNetwork: 60, iterationsBefore }

/** Searches have their own slots, so that slow ones do not delay pages. */
const SEARCHES = { concurrent: 4, concurrentOfNetwork: 2, waitingOfNetwork: 60, iterationsBefore }

/** A page shows two dozen photos. They are only read from the database, so more run at once. */
const PHOTOS = { concurrent: 12, concurrentOfNetwork: 6, waitingOfNetwork: 500, iterationsBefore }

/** Guarded calls: one network cannot occupy the database connections. */
const GUARDED = {
  concurrent: 32,
  concurrentOfNetwork: 4,
  waitingOfNetwork: 200,
  iterationsBefore: 1,
}

/** An embedded database works in this thread, so the calls leave the event loop to others between them. */
const GUARDED_EMBEDDED = {
  concurrent: 8,
  concurrentOfNetwork: 2,
  waitingOfNetwork: 200,
  iterationsBefore,
}

/** Starts of payments wait for the provider, and may use half of the database connections. */
const PAYMENT_STARTS = { concurrent: 64, concurrentOfNetwork: 4, waitingOfNetwork: 200 }

/** Calls of guests that write, such as log-ins, which wait for the hashing of passwords. */
const GUEST_WRITES = { concurrent: 64, concurrentOfNetwork: 4, waitingOfNetwork: 200 }

type Kind = 'page' | 'call' | 'search' | 'photo' | 'guarded' | 'paymentStart' | 'guestWrite'

/** `most` is for an IPv4 address or /64, a /56 and a /48 of IPv6. */
type Rate = { seconds: number; most: [number, number, number] }

/**
 * Generous to an address, because an office has one; but a /48 as a whole gets no more than one CPU
 * renders beside other work. Pages and photos cost more than calls, so their bursts are limited,
 * too. Searches have limits by address in their contract.
 */
const RATES: Record<Kind, Rate[]> = {
  page: [
    { seconds: 5, most: [30, 45, 60] },
    { seconds: 60, most: [180, 270, 360] },
  ],
  call: [{ seconds: 60, most: [300, 450, 600] }],
  search: [{ seconds: 60, most: [1200, 1200, 1200] }],
  photo: [
    { seconds: 5, most: [200, 300, 400] },
    { seconds: 60, most: [600, 900, 1200] },
  ],
  // limited by their contracts
  guarded: [],
  paymentStart: [],
  guestWrite: [],
}

/** `Retry-After` when the queue of a network is full. */
const QUEUE_MS = 5000
const BUSY = 'Too many requests at once.'

/**
 * The kind of a public route, for its own request and for the render of the page cache alike: a page or
 * document outside of the API, or a call. The rates of a call that writes are in its contract.
 */
function kindOf(
  url: string,
  method: unknown = 'GET',
): 'page' | 'photo' | 'search' | 'call' | 'guestWrite' {
  if (!url.startsWith(API_PREFIX)) return 'page'
  const isAt = ({ path }: Endpoint) => url === API_PREFIX + path
  if (isAt(productCalls.productPhoto)) return 'photo'
  if (Object.values<Endpoint>(searchCalls).some(isAt)) return 'search'
  const reads = method === 'GET' || method === 'HEAD' || isAt(productCalls.filterProducts)
  return reads ? 'call' : 'guestWrite'
}

const PAYMENT_START = API_PREFIX + paymentCalls.startPayment.path

export type RenderHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Counts a render for the visitor's address, and waits for a slot. Returns an idempotent function
 * that releases it. Throws `rate_limited`.
 */
export type Admit = (route: string, ip: string) => Promise<() => void>

/** The counters of a request, of each network of an address, narrowest first. */
const countsOf = (kind: Kind, networks: string[]): Count[] =>
  networks.flatMap((network, width) =>
    RATES[kind].map(({ seconds, most }) => ({
      key: keyOf('render', kind, seconds, network),
      most: most[width] ?? 0,
      seconds,
    })),
  )

function admitterOf(counters: CounterStore, isEmbedded: boolean) {
  const rendering = renderQueue(RENDERING)
  const guarded = isEmbedded ? GUARDED_EMBEDDED : GUARDED
  const queues: Record<Kind, EnterQueue> = {
    page: rendering,
    call: rendering,
    search: renderQueue(SEARCHES),
    photo: renderQueue(PHOTOS),
    guarded: renderQueue(guarded),
    paymentStart: renderQueue({ ...PAYMENT_STARTS, iterationsBefore: guarded.iterationsBefore }),
    guestWrite: renderQueue({ ...GUEST_WRITES, iterationsBefore: guarded.iterationsBefore }),
  }
  const admitAs = (kind: Kind) => async (ip: string) => {
    await countRequest(counters, countsOf(kind, networksOf(ip)))
    const release = await queues[kind](widestNetworkOf(ip))
    if (!release) throw tooSoon(BUSY, QUEUE_MS)
    return release
  }
  return {
    page: admitAs('page'),
    call: admitAs('call'),
    search: admitAs('search'),
    photo: admitAs('photo'),
    guarded: admitAs('guarded'),
    paymentStart: admitAs('paymentStart'),
    guestWrite: admitAs('guestWrite'),
  }
}

/** The slots of requests: a request has one at a time. */
function openSlots(admitters: ReturnType<typeof admitterOf>) {
  const releases = new WeakMap<FastifyRequest, () => void>()
  const hookOf =
    (kind: Kind): RenderHook =>
    async (request, reply) => {
      if (request.socket.remoteAddress === INTERNAL_ADDRESS || releases.has(request)) return
      const release = await admitters[kind](request.ip)
      releases.set(request, release)
      reply.raw.once('close', release)
      if (!reply.raw.closed) return
      // the client disconnected while its request waited
      release()
      throw tooSoon(BUSY, QUEUE_MS)
    }
  const release = async (request: FastifyRequest) => {
    releases.get(request)?.()
    releases.delete(request)
  }
  return { hookOf, release }
}

type Slots = ReturnType<typeof openSlots>

function limitPublicCall(route: RouteOptions, { hookOf }: Slots) {
  const kind = kindOf(route.url, route.method)
  // with a body, only after it has arrived: a slow client must not occupy a slot
  const at = route.method === 'POST' ? 'preHandler' : 'onRequest'
  route[at] = [route[at] ?? [], hookOf(kind)].flat()
}

/**
 * The slot in which the caller is identified is kept for the handler, unless the body has still to
 * arrive, or the provider to answer: then the handler waits for another one.
 */
function limitGuardedCall(route: RouteOptions, { hookOf, release }: Slots) {
  const isUpload = route.config?.isUpload
  const isStart = route.url === PAYMENT_START
  const releaseEarly = async (request: FastifyRequest) => {
    if (isUpload || isStart || !request.raw.complete) await release(request)
  }
  route.onRequest = [hookOf('guarded'), route.onRequest ?? [], releaseEarly].flat()
  const ofHandler = hookOf(isStart ? 'paymentStart' : 'guarded')
  if (!isUpload) route.preHandler = [route.preHandler ?? [], ofHandler].flat()
}

/**
 * Limits public calls that only read, and guarded calls. Returns the hook that limits pages, and the
 * function by which the cache admits a visitor before its internal request, which is not limited.
 */
export function limitRendering(
  app: FastifyInstance,
  counters: CounterStore,
  isEmbedded: boolean,
): { limitPages: RenderHook; admit: Admit } {
  if (counters === noCounters) return { limitPages: async () => {}, admit: async () => () => {} }
  const admitters = admitterOf(counters, isEmbedded)
  const slots = openSlots(admitters)
  app.addHook('onRoute', (route) => {
    const { access } = route.config ?? {}
    if (access === 'public') limitPublicCall(route, slots)
    else if (access !== undefined) limitGuardedCall(route, slots)
  })
  // released when the answer is ready: a client that reads slowly does not occupy a slot
  app.addHook('onSend', slots.release)
  // before the error handler, which delays a refusal: its client does not occupy a slot meanwhile
  app.addHook('onError', slots.release)
  return {
    limitPages: slots.hookOf('page'),
    admit: (route, ip) => admitters[kindOf(route)](ip),
  }
}
