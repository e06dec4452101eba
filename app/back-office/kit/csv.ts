import { escapeFormula } from '#app/shared/model/formula.ts'
import { saveFile } from '#app/shared/web/transfer.ts'

/** Every text is quoted, so that no spreadsheet splits a cell at another delimiter. */
const cellOf = (value: string | number) =>
  typeof value === 'number' ? `${value}` : `"${escapeFormula(value).replaceAll('"', '""')}"`

/** The rows as CSV (RFC 4180). */
export const csvOf = (rows: (string | number)[][]) =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

/** Saves rows as a CSV file; the mark at its begin tells spreadsheets that it is UTF-8. */
export const saveCsv = (name: string, rows: (string | number)[][]) =>
  saveFile(new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv' }), `${name}.csv`)
