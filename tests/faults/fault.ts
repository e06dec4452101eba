import type { Random } from '#tests/support/razorpay/random.ts'
import type { Embedded, Server } from './database.ts'

/** How thoroughly faults are injected, and on which databases. */
export type Trial = {
  /** How often to kill in the long form; undefined in the short form, which is a part of `npm run test:system`. */
  rounds?: number
  random: Random
  /** The number of worker processes of each shop on PostgreSQL. */
  workers: number
  embedded: Embedded
  /** Null where PostgreSQL is not installed. */
  server: Server | null
}

/** The counts of a fault, and everything that went wrong, which must be nothing. */
export type Outcome = { counts: Record<string, number>; losses: string[] }

export type Fault = {
  name: string
  /** Answers why it had to be skipped, if so. */
  run: (trial: Trial) => Promise<Outcome | { skipped: string }>
}

export const NO_SERVER = { skipped: 'PostgreSQL is not installed here' }

const inWords = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

/** The line for a report. */
export function lineOf(name: string, outcome: Outcome | { skipped: string }): string {
  if ('skipped' in outcome) return `${name}: skipped, ${outcome.skipped}`
  return `${name}: ${inWords(outcome.counts)}, ${outcome.losses.length} lost`
}
