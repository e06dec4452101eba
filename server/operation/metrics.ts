import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import { countOrdersByStatus } from '#app/orders/server/metrics-store.ts'
import { countPaymentsByState, countReservations } from '#app/payments/server/metrics-store.ts'
import type { Schema } from '#db/schema.ts'

/** What the shop counts while it works. */
export type Meters = {
  answered: (request: { method: string; route: string; status: number }, seconds: number) => void
  /** Something was looked for in a cache of this name. */
  looked: (cache: string, found: boolean) => void
}

/** What was counted, as data. */
export type Counts = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** What can be told of what was counted, in a form of this type. */
export type Told = { type: string; text: () => Promise<string> }

export type Metrics = Meters &
  Told & {
    /** What this process counts. */
    ofProcess: () => Promise<Counts>
    /** What the database counts: the same, whichever process asks. */
    ofDatabase: () => Promise<Counts>
  }

/** From an answer out of memory to what nobody waits for any more. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type Client = typeof import('prom-client')

/** Sets a gauge to these counts; a label that is gone does not stay behind. */
function gaugeOf({ Gauge }: Client, registers: Registry[], name: string, help: string) {
  const gauge = new Gauge({ registers, name, help, labelNames: ['state'] })
  return (counts: Record<string, number>) => {
    gauge.reset()
    for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count)
  }
}

/** What the database knows: its own counts, read when somebody asks for them. */
function businessGauges(client: Client, registers: Registry[], db: Kysely<Schema>) {
  const orders = gaugeOf(client, registers, 'haat_orders', 'Orders, by their status')
  const payments = gaugeOf(client, registers, 'haat_payments', 'Payments, by their state')
  const reservations = gaugeOf(
    client,
    registers,
    'haat_reservations',
    'Stock reservations of started payments',
  )
  const up = new client.Gauge({
    ...{ registers, name: 'haat_database_up', help: 'Whether the database answered this time' },
  })
  return async () => {
    try {
      orders(await countOrdersByStatus(db))
      payments(await countPaymentsByState(db))
      reservations(await countReservations(db))
      up.set(1)
    } catch {
      // what is not known is not told; the process is still worth a look
      for (const set of [orders, payments, reservations]) set({})
      up.set(0)
    }
  }
}

/** Makes the counters, and those of the process. Loaded only where they are wanted. */
export async function openMetrics(db: Kysely<Schema>): Promise<Metrics> {
  const client = await import('prom-client')
  const [registry, business] = [new client.Registry(), new client.Registry()]
  const registers = [registry]
  client.collectDefaultMetrics({ register: registry })
  const requests = new client.Counter({
    ...{ registers, name: 'haat_http_requests_total', labelNames: ['method', 'route', 'status'] },
    help: 'Requests that were answered, by their declared route',
  })
  const duration = new client.Histogram({
    ...{ registers, name: 'haat_http_request_duration_seconds', labelNames: ['method', 'route'] },
    ...{ help: 'How long requests took to be answered', buckets: SECONDS },
  })
  const caches = new client.Counter({
    ...{ registers, name: 'haat_cache_requests_total', labelNames: ['cache', 'result'] },
    help: 'What was looked for in a cache, and whether it was there',
  })
  const askDatabase = businessGauges(client, [business], db)
  return {
    answered({ method, route, status }, seconds) {
      requests.inc({ method, route, status })
      duration.observe({ method, route }, seconds)
    },
    looked: (cache, found) => caches.inc({ cache, result: found ? 'hit' : 'miss' }),
    type: registry.contentType,
    text: async () => {
      await askDatabase()
      return client.Registry.merge([registry, business]).metrics()
    },
    ofProcess: () => registry.getMetricsAsJSON(),
    ofDatabase: async () => {
      await askDatabase()
      return business.getMetricsAsJSON()
    },
  }
}
