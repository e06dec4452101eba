import { escapeFormula } from '#app/shared/model/formula.ts'

/** Null is an empty cell. */
export type CsvCell = string | number | null

/** The columns of a file by name, each with its cell of a row. */
export type CsvColumns<Row> = Record<string, (row: Row) => CsvCell>

const BYTE_ORDER_MARK = '\ufeff'

/** Every text is quoted, so that no spreadsheet splits a cell at another delimiter. */
const textOf = (cell: CsvCell) =>
  typeof cell === 'number' ? `${cell}` : `"${escapeFormula(cell ?? '').replaceAll('"', '""')}"`

const linesOf = (rows: CsvCell[][]) =>
  rows.map((row) => `${row.map(textOf).join(',')}\r\n`).join('')

/**
 * Writes CSV (RFC 4180) page by page, so that one page is in memory. The byte order mark tells
 * spreadsheets that it is UTF-8; formulas are escaped.
 */
export async function* csvText<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + linesOf([Object.keys(columns)])
  const cells = Object.values(columns)
  for await (const rows of pages) yield linesOf(rows.map((row) => cells.map((cell) => cell(row))))
}

/** Rows in memory at a time. */
const PAGE = 500

/** All rows of a table, page by page: `selectAfter` reads those after an id, the first ones after null. */
export async function* pagesOf<Row extends { id: string }>(
  selectAfter: (id: string | null, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows = await selectAfter(null, PAGE)
  while (rows.length > 0) {
    yield rows
    rows = await selectAfter(rows.at(-1)?.id ?? null, PAGE)
  }
}
