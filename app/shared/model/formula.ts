/** A cell that a spreadsheet would execute as a formula, or one already escaped by apostrophes. */
const EXECUTED = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A number that a spreadsheet was made to leave as text by an apostrophe. */
const MARKED_NUMBER = /^'+\d[\d .,-]*$/

/**
 * An international phone number. A spreadsheet reads it as a number or a sum of its own digits: it has no letter
 * for a function, no reference to a cell, and no second sign that begins a formula.
 */
const PHONE = /^\+[\d \u00a0().\-/]*\d[\d \u00a0().\-/]*$/

/**
 * Prepends an apostrophe to a text that a spreadsheet would execute (CSV injection). Phones stay as they are, so
 * that programs which print labels can read them.
 */
export const escapeFormula = (text: string) =>
  (EXECUTED.test(text) && !PHONE.test(text)) || MARKED_NUMBER.test(text) ? `'${text}` : text

/** Removes the apostrophe that `escapeFormula` or a spreadsheet prepends, and no other. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && (EXECUTED.test(cell) || MARKED_NUMBER.test(cell)) ? cell.slice(1) : cell
