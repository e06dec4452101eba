/** The cells of a variant as they are typed. */

import { hasCheckDigit } from '#app/products/admin-model.ts'
import { MAX_QUANTITY, MAX_WEIGHT_GRAMS } from '#app/products/form-contract.ts'
import {
  CELL_LABELS,
  CELL_NAMES,
  type CellName,
  type Cells,
  isMoneyCell,
} from '#app/products/variant-contract.ts'
import { moneyText, parseMoney } from '#app/shared/model/money-text.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'

export type CellTexts = Record<CellName, string>
type Value = string | number | null

/** The text of a stored cell. */
export function textOf(cell: CellName, value: Value, format: MoneyFormat): string {
  if (value === null) return ''
  return isMoneyCell(cell) && typeof value === 'number' ? moneyText(value, format) : String(value)
}

export function textsOf(cells: Cells, format: MoneyFormat): CellTexts {
  const texts = CELL_NAMES.map((cell) => [cell, textOf(cell, cells[cell], format)])
  return Object.fromEntries(texts)
}

type Parsed = { value: Value; problem?: string }

const wholeNumber = (text: string, max: number): Parsed =>
  /^\d+$/.test(text) && Number(text) <= max
    ? { value: Number(text) }
    : { value: null, problem: `Enter a whole number of at most ${max.toLocaleString('en-US')}.` }

function money(text: string, format: MoneyFormat): Parsed {
  const { amount, problem } = parseMoney(text, format)
  return { value: amount, ...(problem && { problem }) }
}

function barcode(typed: string): Parsed {
  const value = typed.replace(/[\s-]/g, '')
  if (!/^(\d{8}|\d{12,14})$/.test(value))
    return { value, problem: 'A barcode has 8, 12, 13 or 14 digits.' }
  return hasCheckDigit(value)
    ? { value }
    : { value, problem: 'The last digit of the barcode does not fit the others.' }
}

/** The value of a typed cell, or what is wrong with it. */
export function parseCell(cell: CellName, typed: string, format: MoneyFormat): Parsed {
  const text = typed.trim()
  const isRequired = cell === 'price' || cell === 'quantity'
  if (text === '')
    return { value: null, ...(isRequired && { problem: `${CELL_LABELS[cell]} is required.` }) }
  if (isMoneyCell(cell)) return money(text, format)
  if (cell === 'quantity') return wholeNumber(text, MAX_QUANTITY)
  if (cell === 'weightGrams') return wholeNumber(text, MAX_WEIGHT_GRAMS)
  return cell === 'barcode' ? barcode(text) : { value: text }
}
