/** Reads the rows of a file: those of one product together, each checked by itself. */

import { MAX_VARIANTS } from '#app/products/variant-contract.ts'
import { trimCode } from '#app/shared/model/visible-text.ts'
import { type CsvRecord, readCsv } from '#app/shared/server/csv/read.ts'
import { priceProblem } from '#app/shared/server/input/given-money.ts'
import { checkEachOf } from '#app/shared/server/input/validation.ts'
import {
  COLUMNS,
  type ColumnName,
  isColumn,
  isMoney,
  isNumber,
  isOfVariant,
  NAMES,
  readCell,
  type Values,
} from './columns.ts'
import type { FileFormat } from './file-format.ts'
import { convertHtml, isHtml } from './html-cell.ts'

/** The problem of the row that starts in a line. */
export type Problem = { line: number; reason: string }

/** The cells of a row that are valid by themselves. */
export type Line = Values & {
  line: number
  /** The columns whose cells are not. */
  invalid: ReadonlySet<ColumnName>
}

/** The rows of a product: the first one has the product's columns; `others` are of its further variants. */
export type ImportRow = Line & {
  others: Line[]
  /** Whether the file has columns of variants. */
  hasVariants: boolean
  /** Whether its description was HTML. */
  wasHtml: boolean
  /** The problems of its rows by themselves. */
  problems: Problem[]
  size: number
}

/** Rows that are no product, because others of its rows are elsewhere in the file. */
export type StrayRows = { size: number; problems: Problem[]; isStray: true }

const reasonsAgainst = checkEachOf({
  properties: Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name].schema])),
})
/** Of a variant that is there, an empty price or quantity stays. */
const isNeeded = (name: ColumnName) => name === 'price' || name === 'quantity'

/** Whether format characters are no part of the cells: those of other codes are removed by their rules. */
const isCode = (name: ColumnName) => name === 'slug' || isNumber(name)

const hasReason = (value: unknown): value is { reason: string } =>
  typeof value === 'object' && value !== null && 'reason' in value

/** Problems of cells that no column reads. Spreadsheets leave out the last empty cells of a row, or add some. */
function reasonAgainstCells({ columns }: FileFormat, cells: string[]): string | null {
  const isOver = (cell: string, at: number) => !columns[at] && cell.trim() !== ''
  const at = cells.findIndex(isOver)
  if (at < 0) return null
  return at < columns.length
    ? `Column ${at + 1} has no name.`
    : `The row has ${cells.length} cells instead of ${columns.length}.`
}

/** The prices that the currency does not have. */
const problemsOfMoney = (values: object, { currency }: FileFormat) =>
  Object.entries(values).flatMap(([name, value]) => {
    if (!isColumn(name) || !isMoney(name) || typeof value !== 'number') return []
    const problem = priceProblem(value, currency, name)
    return problem === null ? [] : [[name, problem] as const]
  })

/** Checks a row by itself; of a further variant only the columns that belong to it. */
function checkRow(
  format: FileFormat,
  { line, cells }: CsvRecord,
  isFirst: boolean,
): { checked: Line; reasons: string[] } {
  const over = reasonAgainstCells(format, cells)
  // its cells may be those of other columns
  if (over) return { checked: { line, invalid: new Set(NAMES) }, reasons: [over] }
  const reasons: string[] = []
  const invalid = new Set<ColumnName>()
  const values: Partial<Record<ColumnName, unknown>> = {}
  for (const [at, name] of format.columns.entries()) {
    const raw = cells[at] ?? ''
    const cell = name && isCode(name) ? trimCode(raw) : raw.trim()
    const isLeft = !isFirst && name && (!isOfVariant(name) || (cell === '' && isNeeded(name)))
    if (!name || isLeft) continue
    const value = readCell(name, cell, format.readNumber)
    if (hasReason(value)) {
      reasons.push(`${name}: ${value.reason}`)
      invalid.add(name)
    } else if (value !== undefined) values[name] = value
  }
  for (const [name, reason] of [...reasonsAgainst(values), ...problemsOfMoney(values, format)]) {
    reasons.push(reason)
    invalid.add(name as ColumnName)
    delete values[name as ColumnName]
  }
  return { checked: { ...(values as Values), line, invalid }, reasons }
}

/** Rows processed at a time, to the end of a product. */
const BATCH = 500

/** Problems that are noted of the rows of one product, which may be as many as the file has. */
const MAX_NOTED = MAX_VARIANTS

/** Collects the rows of one product. */
function groupOf(format: FileFormat, first: CsvRecord, wasHtml: boolean) {
  const slug = trimCode(first.cells[format.columns.indexOf('slug')] ?? '')
  const lines: Line[] = []
  const problems: Problem[] = []
  const note = (line: number, reasons: string[]) => {
    if (problems.length < MAX_NOTED) problems.push(...reasons.map((reason) => ({ line, reason })))
  }
  let size = 0
  const elsewhere = slug ? format.apart.get(slug) : undefined
  if (elsewhere)
    note(first.line, [
      `The rows of ${slug} are apart: they begin in lines ${elsewhere.join(' and ')}. Sort the file by slug, the row with the name first.`,
    ])
  return {
    slug,
    add(record: CsvRecord) {
      size += 1
      if (elsewhere) return
      if (size > MAX_VARIANTS)
        return note(record.line, [`A product has at most ${MAX_VARIANTS} variants.`])
      const { checked, reasons } = checkRow(format, record, size === 1)
      lines.push(checked)
      note(record.line, reasons)
    },
    rows(): ImportRow | StrayRows {
      const [lead, ...others] = lines
      return lead
        ? { ...lead, others, problems, size, wasHtml, hasVariants: format.areGrouped }
        : { size, problems, isStray: true }
    },
  }
}

/**
 * The products of a file in batches. Rows of one slug that follow each other are the variants of one product, where
 * the file has variants. Throws `invalid` when the file cannot be read.
 */
export async function* readRows(
  path: string,
  format: FileFormat,
): AsyncGenerator<(ImportRow | StrayRows)[]> {
  const records = readCsv(path)
  // the header
  await records.next()
  const slugAt = format.columns.indexOf('slug')
  const descriptionAt = format.columns.indexOf('description')
  let batch: (ImportRow | StrayRows)[] = []
  let size = 0
  let group: ReturnType<typeof groupOf> | undefined
  for await (const record of records) {
    const slug = trimCode(record.cells[slugAt] ?? '')
    if (!(format.areGrouped && slug && slug === group?.slug)) {
      if (group) batch.push(group.rows())
      const html = record.cells[descriptionAt] ?? ''
      const wasHtml = isHtml(html)
      if (wasHtml) record.cells[descriptionAt] = await convertHtml(html)
      group = groupOf(format, record, wasHtml)
      if (size >= BATCH) {
        yield batch
        batch = []
        size = 0
      }
    }
    group.add(record)
    size += 1
  }
  if (group) yield [...batch, group.rows()]
}
