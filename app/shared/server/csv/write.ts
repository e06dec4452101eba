import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from './formula.ts'

export type CsvRow = (string | number)[]

const BYTE_ORDER_MARK = '\ufeff'

const cellsOf = (row: CsvRow) =>
  row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))

/** Every text is quoted, so that no spreadsheet splits a cell at another delimiter. */
const linesOf = (rows: CsvRow[]) =>
  stringify(rows.map(cellsOf), { record_delimiter: 'windows', quoted_string: true })

/**
 * Writes CSV (RFC 4180) page by page, so that memory holds one page. The byte order mark tells
 * spreadsheets that it is UTF-8; formulas are escaped.
 */
export async function* csvText(
  header: readonly string[],
  pages: AsyncIterable<CsvRow[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + linesOf([[...header]])
  for await (const page of pages) yield linesOf(page)
}
