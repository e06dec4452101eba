/** A cell that a spreadsheet would execute as a formula, or one already escaped by apostrophes. */
const EXECUTED = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Prepends an apostrophe to a text that a spreadsheet would execute (CSV injection). */
export const escapeFormula = (text: string) => (EXECUTED.test(text) ? `'${text}` : text)

/** Removes the apostrophe that `escapeFormula` prepends, and no other. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && EXECUTED.test(cell) ? cell.slice(1) : cell
