import { AggregatorRegistry, Counter, Gauge, Registry } from '@prometheus-io/client'
import type { MetricsText } from '../operation/metrics.ts'

export type ClusterMetrics = MetricsText & { countRestart: () => void }

/** The metrics of all workers, summed up by its library, and those of the primary. */
export function clusterMetrics(countWorkers: () => number): ClusterMetrics {
  const aggregator = new AggregatorRegistry()
  const own = new Registry()
  const registers = [own]
  new Gauge({
    registers,
    name: 'haat_workers',
    help: 'Worker processes that serve',
    collect() {
      this.set(countWorkers())
    },
  })
  const restarts = new Counter({
    registers,
    name: 'haat_worker_restarts_total',
    help: 'Worker processes that ended unexpectedly and were restarted',
  })
  return {
    type: aggregator.contentType,
    async text() {
      // rejects after five seconds when a worker does not answer; the primary's own are still
      // served
      const ofWorkers = await aggregator.clusterMetrics().catch(() => '')
      return `${await own.metrics()}\n${ofWorkers}`
    },
    countRestart: () => restarts.inc(),
  }
}
