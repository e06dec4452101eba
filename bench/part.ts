import type { Databases } from './fill/databases.ts'

/** A target and whether it is met. */
export type Target = { measure: string; target: string; measured: string; reached: boolean }

/** The results of a part, in Markdown. */
export type Found = { text: string; targets: Target[] }

export type Run = {
  databases: Databases
  /** The catalogue sizes to measure. */
  sizes: number[]
}

export type Part = { title: string; measure: (run: Run) => Promise<Found> }
