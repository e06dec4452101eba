import { escapeFormula } from '#app/shared/model/formula.ts'

/** Every text is quoted, so that no spreadsheet splits a cell at another delimiter. */
const cellOf = (value: string | number) =>
  typeof value === 'number' ? `${value}` : `"${escapeFormula(value).replaceAll('"', '""')}"`

/** The rows as CSV (RFC 4180). */
export const csvOf = (rows: (string | number)[][]) =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

/** The time for a browser to start saving, in milliseconds. */
const TIME_TO_SAVE = 60_000

/** Saves rows as a CSV file; the mark at its begin tells spreadsheets that it is UTF-8. */
export function saveCsv(name: string, rows: (string | number)[][]) {
  const link = document.createElement('a')
  const address = URL.createObjectURL(new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv' }))
  link.href = address
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), TIME_TO_SAVE)
}
