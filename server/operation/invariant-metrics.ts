import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Invariant } from '#app/shared/server/domain-module.ts'
import { selectViolations } from '#app/shared/server/store.ts'
import type { Schema } from '#db/schema.ts'

type Client = typeof import('prom-client')

/** A count reads whole tables, so a scrape gets the last one, and at most starts the next. */
const COUNT_EVERY_MS = 10 * 60_000

type Counts = { violations: Map<string, number>; at: number }

async function countViolations(db: Kysely<Schema>, invariants: Invariant[]): Promise<Counts> {
  const violations = new Map<string, number>()
  for (const invariant of invariants)
    violations.set(invariant.name, (await selectViolations(db, invariant)).length)
  return { violations, at: Date.now() / 1000 }
}

/**
 * Gauges of the rows that break an invariant, and of the time of the count. A scrape starts a count
 * where the last began ten minutes ago, and does not wait for it; one that fails leaves the last.
 */
export function addInvariantGauges(
  { Gauge }: Client,
  registers: Registry[],
  { db, invariants }: { db: Kysely<Schema>; invariants: Invariant[] },
) {
  let last: Counts | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  function startCount() {
    if (performance.now() < startedAt + COUNT_EVERY_MS) return
    startedAt = performance.now()
    countViolations(db, invariants).then(
      (counts) => {
        last = counts
      },
      // an outage is logged elsewhere, and the time of the count gets old
      () => undefined,
    )
  }
  new Gauge({
    registers,
    aggregator: 'max',
    name: 'haat_invariant_violations',
    help: 'Rows that break an invariant, at most 100 of each',
    labelNames: ['invariant'],
    collect() {
      startCount()
      for (const [invariant, count] of last?.violations ?? []) this.set({ invariant }, count)
    },
  })
  new Gauge({
    registers,
    aggregator: 'max',
    name: 'haat_invariants_checked_timestamp_seconds',
    help: 'When the violations of invariants were counted, as a Unix time',
    labelNames: [],
    collect() {
      if (last) this.set(last.at)
      // without labels it would be 0 before the first count
      else this.remove()
    },
  })
}
