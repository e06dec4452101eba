/** Reads the rows of a file: those of one product together, each checked by itself. */
import { Type } from 'typebox'
import { MAX_VARIANTS } from '#app/products/variant-contract.ts'
import { type CsvRecord, readCsv } from '#app/shared/server/csv/read.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import {
  COLUMNS,
  type ColumnName,
  hasVariants,
  isColumn,
  isOfVariant,
  NAMES,
  readCell,
  type Values,
} from './columns.ts'

/** The problem of the row that starts in a line. */
export type Problem = { line: number; reason: string }

/** A row that is valid by itself. */
export type Line = Values & { line: number }

/** The rows of a product: the first one has the product's columns; `others` are of its further variants. */
export type ImportRow = Line & {
  others: Line[]
  /** Whether the file has columns of variants. */
  hasVariants: boolean
}

/** The rows of a product of which some are wrong: none of them counts, because a half would be another product. */
export type WrongRows = { size: number; problems: Problem[] }

export const sizeOf = (row: ImportRow | WrongRows) =>
  'problems' in row ? row.size : row.others.length + 1

const reasonAgainst = checkOf(
  Type.Partial(Type.Object(Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name].schema])))),
)
/** Of a variant that is there, an empty price or quantity stays. */
const isNeeded = (name: ColumnName) => name === 'price' || name === 'quantity'

/** Checks a row by itself; of a further variant only the columns that belong to it. */
function checkRow(
  columns: ColumnName[],
  { line, cells }: CsvRecord,
  isFirst: boolean,
): Line | Problem {
  if (cells.length !== columns.length)
    return { line, reason: `The row has ${cells.length} cells instead of ${columns.length}.` }
  const read = columns.map((name, at) => {
    const cell = (cells[at] ?? '').trim()
    const isLeft = !isFirst && (!isOfVariant(name) || (cell === '' && isNeeded(name)))
    return [name, isLeft ? undefined : readCell(name, cell)]
  })
  const values: Values = Object.fromEntries(read.filter(([, value]) => value !== undefined))
  const reason = reasonAgainst(values)
  return reason ? { line, reason } : { line, ...values }
}

function columnOf(cell: string, index: number): ColumnName {
  const name = cell.trim().toLowerCase()
  if (isColumn(name)) return name
  if (name === '') throw invalid(`Column ${index + 1} has no name.`)
  throw invalid(
    `There is no column "${name.slice(0, 100)}". Use the file of Export products, whose columns are ${NAMES.join(', ')}.`,
  )
}

/**
 * The columns of a header row, in any order and case. Throws `invalid` for an empty file, for an
 * unknown or repeated column, and when no column identifies the product.
 */
function readHeader(cells: string[] | undefined): ColumnName[] {
  if (!cells) throw invalid('The file is empty. Its first line must name the columns.')
  const columns = cells.map(columnOf)
  const twice = columns.find((column, index) => columns.indexOf(column) < index)
  if (twice) throw invalid(`The column ${twice} appears twice.`)
  if (!columns.includes('slug') && !columns.includes('name'))
    throw invalid('The file needs a column slug, or a column name for new products.')
  return columns
}

/** Throws `invalid` when the header is wrong, before the file is read. */
export async function checkHeader(path: string): Promise<void> {
  const records = readCsv(path)
  readHeader((await records.next()).value?.cells)
  await records.return(undefined)
}

/** Rows processed at a time, to the end of a product. */
const BATCH = 500

/** Collects the rows of one product. */
function groupOf(columns: ColumnName[], first: CsvRecord) {
  const lines: Line[] = []
  const problems: Problem[] = []
  let size = 0
  return {
    slug: first.cells[columns.indexOf('slug')]?.trim(),
    add(record: CsvRecord) {
      size += 1
      const checked =
        size > MAX_VARIANTS
          ? { line: record.line, reason: `A product has at most ${MAX_VARIANTS} variants.` }
          : checkRow(columns, record, size === 1)
      if (!('reason' in checked)) lines.push(checked)
      // a file of one product with a million rows is refused by the first of them
      else if (problems.length < MAX_VARIANTS) problems.push(checked)
    },
    rows(): ImportRow | WrongRows {
      const [lead, ...others] = lines
      return lead && problems.length === 0
        ? { ...lead, others, hasVariants: hasVariants(columns) }
        : { size, problems }
    },
  }
}

/**
 * The products of a file in batches. Rows of one slug that follow each other are the variants of one product, where
 * the file has variants. Throws `invalid` when the file cannot be read.
 */
export async function* readRows(path: string): AsyncGenerator<(ImportRow | WrongRows)[]> {
  const records = readCsv(path)
  const columns = readHeader((await records.next()).value?.cells)
  const areGrouped = hasVariants(columns)
  let batch: (ImportRow | WrongRows)[] = []
  let size = 0
  let group: ReturnType<typeof groupOf> | undefined
  for await (const record of records) {
    const slug = record.cells[columns.indexOf('slug')]?.trim()
    if (!(areGrouped && slug && slug === group?.slug)) {
      if (group) batch.push(group.rows())
      group = groupOf(columns, record)
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
