import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Counts, Told } from '../operation/metrics.ts'
import type { Crew } from './crew.ts'
import type { FromFirst, Part } from './messages.ts'
import { questions } from './questions.ts'

/** A worker that counts nothing for so long is told of as it was last. */
const PATIENCE_MS = 2000
/** The database may take its time to be found out of reach. */
const DATABASE_PATIENCE_MS = 15_000

/** What only grows: of who has ended it is told on, or sums would fall. */
const growing = (counts: Counts) =>
  counts.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))

/** Of several processes the worst is told, where an average would hide it. */
const theWorst = (counts: Counts): Counts =>
  counts.map((one) => (one.aggregator === 'average' ? { ...one, aggregator: 'max' } : one))

/** What the first process counts by itself. */
function ownCounts(crew: Pick<Crew, 'open'>) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    ...{ registers, name: 'haat_workers', help: 'Processes that customers are served by' },
    collect() {
      this.set(crew.open().length)
    },
  })
  const restarts = new Counter({
    ...{ registers, name: 'haat_worker_restarts_total', help: 'Processes that ended unasked' },
  })
  return { registry, restarts }
}

/** Asks workers what was counted, as long as they are there. */
function openAsking() {
  const asked = questions<Counts>()
  const ask = async (worker: Worker, part: Part, patienceMs: number) => {
    const over = new AbortController()
    const ended = once(worker, 'exit', { signal: over.signal }).then((): Counts => {
      throw new Error('The process has ended.')
    })
    const answer = asked.ask((id) => {
      const question: FromFirst = { is: 'count', id, part }
      // no answer comes from who has ended
      worker.send(question, () => {})
    }, patienceMs)
    return Promise.race([answer, ended]).finally(() => over.abort())
  }
  /** Of who has ended meanwhile nothing is heard: then another is asked. */
  const ofDatabase = async (workers: Worker[]): Promise<Counts> => {
    for (const worker of workers) {
      const counts = await ask(worker, 'database', DATABASE_PATIENCE_MS).catch(() => null)
      if (counts || !worker.isDead()) return counts ?? []
    }
    return []
  }
  return { ask, ofDatabase, answered: asked.answered }
}

export type Gathering = Told & {
  /** A worker has sent what was asked of it. */
  answered: (id: number, counts: Counts) => void
  /** A worker has ended, and is replaced. */
  left: (worker: Worker) => void
}

/**
 * Tells what all processes count as one: what they counted is added up, also that of those which
 * have ended; what the database counts is asked once.
 */
export function gatherMetrics(crew: Pick<Crew, 'open'>): Gathering {
  const { registry, restarts } = ownCounts(crew)
  const { ask, ofDatabase, answered } = openAsking()
  const latest = new Map<number, Counts>()
  let former: Promise<Counts> = Promise.resolve([])

  const refresh = async (worker: Worker) => {
    const counts = await ask(worker, 'process', PATIENCE_MS).catch(() => null)
    if (counts && !worker.isDead()) latest.set(worker.id, counts)
  }
  return {
    type: registry.contentType,
    async text() {
      const workers = crew.open()
      const [database] = await Promise.all([ofDatabase(workers), ...workers.map(refresh)])
      // nobody may leave between a look at the present and one at the past
      const all = [registry.getMetricsAsJSON(), ...latest.values(), former, database]
      return AggregatorRegistry.aggregate((await Promise.all(all)).map(theWorst)).metrics()
    },
    answered,
    left({ id }) {
      restarts.inc()
      const last = growing(latest.get(id) ?? [])
      latest.delete(id)
      former = former.then((sum) => AggregatorRegistry.aggregate([sum, last]).getMetricsAsJSON())
    },
  }
}
