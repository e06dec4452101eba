import type { Databases } from './fill/databases.ts'

/** A bound that a part judges, and whether the shop keeps to it. */
export type Target = { measure: string; target: string; measured: string; reached: boolean }

/** The result of a part, in Markdown. */
export type Result = { text: string; targets: Target[] }

export type Run = {
  databases: Databases
  /** The folder of the checkout whose shop is measured. */
  checkout: string
  /** The sizes of the shops that are measured, in products. */
  sizes: number[]
  /** Tries each part with few requests. The figures mean nothing. */
  isShort: boolean
}

export type Part = {
  title: string
  measure: (run: Run) => Promise<Result>
  /** Whether another checkout is measured beside this one; otherwise it is measured instead. */
  comparesShops?: boolean
}
