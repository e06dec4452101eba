/** Variants as they are stored, and as the API has them. */

import {
  CELL_NAMES,
  type CellName,
  type Cells,
  isMoneyCell,
  type ProductOption,
} from '#app/products/variant-contract.ts'
import { nameOfVariant } from '#app/products/variant-model.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { givenPrice } from '#app/shared/server/input/given-money.ts'
import type { Row } from '#db/schema.ts'
import type { VariantRow } from './store.ts'

/** The options and variants of a product. */
export type State = {
  name: string
  options: ProductOption[]
  variants: VariantRow[]
  /** That of its prices. */
  currency: string
}

/** The columns of the cells. */
export const COLUMNS = {
  price: 'price_minor',
  compareAt: 'compare_at_minor',
  quantity: 'quantity',
  weightGrams: 'weight_grams',
  sku: 'sku',
  barcode: 'barcode',
} as const satisfies Record<CellName, keyof Row<'variants'>>

/** A cell of a variant as the API has it. */
export const shown = (row: VariantRow, cell: CellName, currency: string) => {
  const value = row[COLUMNS[cell]]
  return typeof value === 'number' && isMoneyCell(cell) ? toMajor(value, currency) : value
}

/** A cell of the API as it is stored; `field` names it when its price is refused. */
export function stored(
  cell: CellName,
  value: string | number | null,
  currency: string,
  field: string,
) {
  if (typeof value === 'string') return value.trim()
  return value !== null && isMoneyCell(cell) ? givenPrice(value, currency, field) : value
}

/** The cells of a variant as the API has them. */
export const cellsOf = (row: VariantRow, currency: string): Cells =>
  Object.fromEntries(CELL_NAMES.map((cell) => [cell, shown(row, cell, currency)])) as Cells

export const SLOTS = ['value1', 'value2', 'value3'] as const

export const valuesOf = (row: Pick<VariantRow, (typeof SLOTS)[number]>) =>
  SLOTS.map((slot) => row[slot])

/** The name of a variant, such as 'Shirt – Red / M'. */
export function nameIn(
  { name, options }: Pick<State, 'name' | 'options'>,
  row: VariantRow,
): string {
  const ids = valuesOf(row)
  const values = options.flatMap(({ slot, values }) => {
    const value = values.find(({ _id }) => _id === ids[slot - 1])
    return value ? [{ value: value.name }] : []
  })
  return nameOfVariant({ name, options: values.length > 0 ? values : null })
}

export const lower = (id: string | null) => id?.toLowerCase() ?? null
