import type { Dice } from './dice.ts'
import type { Embedded, Server } from './stage/database.ts'

/** How thoroughly faults are tried, and on what. */
export type Trial = {
  /** How often to kill in the long form; the short one, a part of `npm test`, has none to tell. */
  rounds?: number
  dice: Dice
  /** So many processes each shop on PostgreSQL is. */
  workers: number
  embedded: Embedded
  /** Null where PostgreSQL is not installed. */
  server: Server | null
}

/** What became of a fault: what was counted, and what went wrong, which must be nothing. */
export type Outcome = { counts: Record<string, number>; losses: string[] }

export type Fault = {
  name: string
  /** Answers why it cannot be tried here, if so. */
  run: (trial: Trial) => Promise<Outcome | { skipped: string }>
}

export const NO_SERVER = { skipped: 'PostgreSQL is not installed here' }

const inWords = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

/** The line that is printed. */
export function lineOf(name: string, outcome: Outcome | { skipped: string }): string {
  if ('skipped' in outcome) return `${name}: skipped, ${outcome.skipped}`
  return `${name}: ${inWords(outcome.counts)}, ${outcome.losses.length} lost`
}
