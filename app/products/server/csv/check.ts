/** What the rows of a file make of the shop's products, and the report of it. Nothing is written. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ImportReport, ImportStep } from '#app/products/admin-contract.ts'
import type { SendStep } from '#app/shared/server/step-lines.ts'
import type { Database } from '#db/schema.ts'
import type { State } from '../variants/rows.ts'
import { selectProductsByCodes, selectStates } from '../variants/store.ts'
import { type ImportRow, type Problem, readRows, type StrayRows } from './rows.ts'
import {
  type CheckedFile,
  codesOf,
  factsFor,
  isChanged,
  keyOf,
  noteCategory,
  ofProduct,
  problemsOfCodes,
  reasonsAgainst,
  valuesFor,
} from './rules.ts'
import { type StoredProduct, selectProductsBySlugs } from './store.ts'
import { planVariants, stateOfNew, type VariantPlan } from './variants.ts'

/** Problems that are reported one by one; further ones are only counted. */
const MAX_REPORTED = 100

export type Progress = SendStep<ImportStep>

const NO_VARIANTS: VariantPlan = { problems: [], edit: null, hasOptions: false }

export type Rows = (ImportRow | StrayRows)[]

/** What the shop has of the products of some rows. */
type Present = {
  products: Map<string, StoredProduct>
  states: Map<string, State>
  taken: Map<string, { id: string; name: string }>
  /** That of prices. */
  currency: string
}

const ofProducts = (rows: Rows) => rows.flatMap((row) => ('isStray' in row ? [] : row))

/** The rows without a problem of their own. */
export const rightOnes = (rows: Rows) =>
  ofProducts(rows).filter(({ problems }) => problems.length === 0)

export async function presentOf(
  db: Database,
  rows: Rows,
  { currency }: CheckedFile,
): Promise<Present> {
  const right = ofProducts(rows)
  const products = await selectProductsBySlugs(
    db,
    right.flatMap(({ slug }) => slug || []),
  )
  const withVariants = right.filter((row) => row.hasVariants)
  const ids = withVariants.flatMap(({ slug }) => products.get(slug ?? '')?.id ?? [])
  const codes = withVariants.flatMap(codesOf).map(({ code }) => code)
  return {
    products,
    states: await selectStates(db, ids),
    taken: await selectProductsByCodes(db, codes),
    currency,
  }
}

/** What a row makes of its product and the variants of that. */
export function planOf(row: ImportRow, { products, states, currency }: Present) {
  const product = products.get(row.slug ?? '')
  const state = product ? states.get(product.id) : stateOfNew(row, currency)
  const plan = row.hasVariants && state ? planVariants(state, row, !product) : NO_VARIANTS
  return { ...plan, product, own: product && plan.hasOptions ? ofProduct(row) : row }
}

type Checking = { file: CheckedFile; report: ImportReport; present: Present }

/** The problems of a product, those of each line in one sentence after the other. */
function byLine(problems: Problem[]): Problem[] {
  const lines = Map.groupBy(problems, ({ line }) => line)
  return [...lines]
    .toSorted(([one], [other]) => one - other)
    .map(([line, some]) => ({
      line,
      reason: [...new Set(some.map(({ reason }) => reason))].join(' '),
    }))
}

/** Counts the effect of a row, and remembers its product; returns why it is refused. */
function checkRow(row: ImportRow, { file, report, present }: Checking): Problem[] {
  const product = present.products.get(row.slug ?? '')
  const key = keyOf(row, product)
  const before = key ? file.named.get(key) : undefined
  if (before)
    return [{ line: row.line, reason: `The same product is already in line ${before.line}.` }]
  const codes = problemsOfCodes(row, product?.id, file, present.taken)
  const known = { ...row, problems: [...row.problems, ...codes] }
  const { own, problems, edit } = planOf(known, present)
  const facts = factsFor(own, product, file)
  const wrong = [
    ...known.problems,
    ...reasonsAgainst(own, product, file).map((reason) => ({ line: row.line, reason })),
    ...problems,
  ]
  const isSame = product && !edit && !isChanged(product, facts) && !valuesFor(row, product, file)
  const isWritten = wrong.length === 0 && !isSame
  const editedAt = product?.updated_at.getTime()
  if (key) file.named.set(key, { line: row.line, isWritten, editedAt })
  if (wrong.length > 0) return wrong
  if (isWritten) noteCategory(row, file)
  if (!product) report.created += 1
  else if (isWritten) report.updated += 1
  else report.unchanged += 1
  if (isWritten && row.wasHtml) report.descriptions += 1
  const isStock = edit?.changed?.some(({ quantity }) => quantity)
  if (product && (isStock || facts.quantity !== product.quantity)) report.quantities += 1
  return []
}

/** Checks the file in batches, so that some hundred rows are in memory. */
export async function checkFile(
  db: Database,
  file: CheckedFile,
  progress: Progress,
): Promise<ImportReport> {
  const report: ImportReport = {
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    quantities: 0,
    descriptions: 0,
    categories: 0,
    wrong: 0,
    problems: [],
  }
  for await (const rows of readRows(file.path, file.format)) {
    const present = await presentOf(db, rows, file)
    for (const row of rows) {
      const problems = 'isStray' in row ? row.problems : checkRow(row, { file, report, present })
      report.rows += row.size
      if (problems.length === 0) continue
      report.wrong += row.size
      report.problems.push(...byLine(problems).slice(0, MAX_REPORTED - report.problems.length))
    }
    progress({ step: 'checking', rows: report.rows })
    await yieldToEventLoop()
  }
  return { ...report, categories: file.missing?.size ?? 0 }
}
