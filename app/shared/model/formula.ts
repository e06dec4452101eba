/** A cell that a spreadsheet would execute as a formula, or one already escaped by apostrophes. */
const EXECUTED = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A number that a spreadsheet was made to leave as text by an apostrophe. */
const MARKED_NUMBER = /^'+\d[\d .,-]*$/

/** Prepends an apostrophe to a text that a spreadsheet would execute (CSV injection). */
export const escapeFormula = (text: string) =>
  EXECUTED.test(text) || MARKED_NUMBER.test(text) ? `'${text}` : text

/** Removes the apostrophe that `escapeFormula` or a spreadsheet prepends, and no other. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && (EXECUTED.test(cell) || MARKED_NUMBER.test(cell)) ? cell.slice(1) : cell
