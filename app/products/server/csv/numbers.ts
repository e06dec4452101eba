/** Numbers as files have them: with the separators of the spreadsheet that saved them. */
import { decimalsOf } from '#app/shared/model/minor-units.ts'
import { type DecimalMark, readNumber, shownDecimal } from '#app/shared/model/money-text.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'

/** The currency of the shop's prices and its format in the shop's locale. */
export type ShopNumbers = { currency: string; format: MoneyFormat }

/** The value of a cell; a reason where it can be read in two ways; the text, which the rules refuse, where it is none. */
export type NumberReader = (cell: string) => number | string | { reason: string }

const SIGN = /^[+\-−–]/
const SYMBOL = /^\p{Sc}\s*|\s*\p{Sc}$/gu

/** The digits and separators of a cell, without the currency; null for one that has letters. */
function digitsOf(cell: string, { currency, format }: ShopNumbers): string | null {
  const affixes = [currency, ...format.affixes.map((text) => text.trim())].filter(Boolean)
  const text = cell.replace(SIGN, '').trim().replace(SYMBOL, '')
  const before = affixes.find((affix) => text.startsWith(affix)) ?? ''
  const after = affixes.find((affix) => text.endsWith(affix)) ?? ''
  const digits = before ? text.slice(before.length) : text.slice(0, text.length - after.length)
  return /\p{L}/u.test(digits) ? null : digits
}

/** Collects what the numbers of a file show of its separators. */
export function numberEvidence(shop: ShopNumbers) {
  const seen = new Set<DecimalMark>()
  return {
    add(cell: string) {
      const digits = /[.,]/.test(cell) ? digitsOf(cell, shop) : null
      const mark = digits === null ? null : shownDecimal(digits, shop.format)
      if (mark) seen.add(mark)
    },
    /** Null where the numbers show no separator of decimals, or two. */
    decimal: (): DecimalMark | null => (seen.size === 1 ? ([...seen][0] ?? null) : null),
    isMixed: () => seen.size > 1,
  }
}

/** The separator between groups that the delimiter of the file and the locale of the shop agree on. */
export function agreedGroup(delimiter: string, { decimal, group }: MoneyFormat): string | null {
  const usual = delimiter === ';' ? { decimal: ',', group: '.' } : { decimal: '.', group: ',' }
  return delimiter !== '\t' && decimal === usual.decimal && group === usual.group ? group : null
}

/**
 * The separator of decimals that goes with the delimiter, where amounts may have three decimals: 1.255 shows none by
 * itself.
 */
export function usualDecimal(
  delimiter: string,
  { currency }: ShopNumbers,
  isMixed: boolean,
): DecimalMark | null {
  if (isMixed || decimalsOf(currency) < 3 || delimiter === '\t') return null
  return delimiter === ';' ? ',' : '.'
}

/** Reads the numbers of a file by what is known of its separators. */
export function numberReader(
  shop: ShopNumbers,
  hints: { decimal: DecimalMark | null; group: string | null },
): NumberReader {
  return (cell) => {
    const digits = digitsOf(cell, shop)
    const read = digits === null ? null : readNumber(digits, shop.format, hints)
    if (read === null) return cell
    const sign = /^[-−–]/.test(cell) ? -1 : 1
    if (typeof read === 'number') return sign * read
    const [thousands, fraction] = read
    return {
      reason: `“${cell}” can be read as ${thousands} or as ${fraction}. Write the one that is meant.`,
    }
  }
}
