/** What a spreadsheet would execute, or has an apostrophe in front because of it. */
const EXECUTED = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text as it may stand in a cell: one that a spreadsheet would execute gets an apostrophe in front. */
export const escapeFormula = (text: string) => (EXECUTED.test(text) ? `'${text}` : text)

/** The text that was neutralised: takes away exactly that apostrophe, and never another. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && EXECUTED.test(cell) ? cell.slice(1) : cell
