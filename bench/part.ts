import type { Databases } from './fill/databases.ts'

/** What the shop has to reach, and whether it does. */
export type Target = { measure: string; target: string; measured: string; reached: boolean }

/** What a part of the benchmark found, in Markdown. */
export type Found = { text: string; targets: Target[] }

export type Run = {
  databases: Databases
  /** How many products the shops have that are measured. */
  sizes: number[]
}

export type Part = { title: string; measure: (run: Run) => Promise<Found> }
