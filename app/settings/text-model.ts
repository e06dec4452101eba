/** The rules of the merchant's texts, which are Markdown: they bound the time of the parser. */
import { FILLED } from '../shared/contract/fields.ts'

/** A field of the settings with its problem, if it has one. */
export type Found = [field: string, message: string | null]

/** The longest text of an information page, in characters. */
const MAX_TEXT_LENGTH = 50_000

const FILLED_TEST = new RegExp(FILLED, 'u')

export const isFilled = (text: string) => FILLED_TEST.test(text)

/** Why a text is refused that is longer than this many characters; null when it is not. */
export const tooLong = (text: string, max: number) =>
  [...text].length > max ? `This text may have at most ${max} characters.` : null

/** The parser's time grows with the square of these. */
const MAX_LEVELS = 10
const MAX_MARKS = 500
/** Lines that are not blank, and all lines. */
const MAX_LINES = 2000
const MAX_LINES_WITH_BLANK = 10_000
/** Quotations and list items, each level of a line counted; and brackets that may open a link. */
const MAX_ITEMS = 1000
const MAX_BRACKETS = 1000

/** A line that begins more quotations and lists, one in the other, than are allowed. */
const TOO_DEEP = new RegExp(
  `^(?:[ \\t]*(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t])){${MAX_LEVELS + 1}}`,
  'm',
)

/** A list that its indentation, of up to four columns a level, nests deeper than is allowed. */
const INDENTED_TOO_DEEP = new RegExp(
  `^(?:[ >]{0,3}\\t|[ >]{4}){${MAX_LEVELS}}[ \\t>]+(?:[-+*]|\\d{1,9}[.)])[ \\t]`,
  'm',
)

/** A mark that begins a quotation or a list item. */
const ITEM = '(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t\\r\\n]|$))'
const ITEMS_OF_LINE = new RegExp(`^(?:[ \\t]*${ITEM})+`, 'gm')
const ITEMS = new RegExp(ITEM, 'gm')

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

const itemsIn = (text: string) => countOf((text.match(ITEMS_OF_LINE) ?? []).join('\n'), ITEMS)

const hasTooManyMarks = (paragraph: string) => countOf(paragraph, /[*_]/g) > MAX_MARKS

/** Why a text of an information page is refused, without parsing it; null when it is not. */
export function markdownProblem(text: string): string | null {
  if (TOO_DEEP.test(text) || INDENTED_TOO_DEEP.test(text))
    return `Quotations and lists may be nested at most ${MAX_LEVELS} levels deep.`
  if (countOf(text, /^.*\S/gm) > MAX_LINES || countOf(text, /\r\n?|\n/g) > MAX_LINES_WITH_BLANK)
    return `A text may have at most ${MAX_LINES} lines, and ${MAX_LINES_WITH_BLANK} with blank ones.`
  if (itemsIn(text) > MAX_ITEMS)
    return `A text may have at most ${MAX_ITEMS} quotations and list items, those inside others counted too.`
  if (countOf(text, /\[/g) > MAX_BRACKETS) return `A text may have at most ${MAX_BRACKETS} links.`
  return text.split(/\n[>\s]*\n/).some(hasTooManyMarks)
    ? `A paragraph may have at most ${MAX_MARKS} of the characters * and _.`
    : tooLong(text, MAX_TEXT_LENGTH)
}
