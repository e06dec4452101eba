/** The only variant of a product without options, whose cells are fields of the product's form. */
import { CELL_NAMES, type Cells, isFormCell, isMoneyCell } from '#app/products/variant-contract.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { textOf } from './cells.ts'
import { cellsOf, type Draft } from './draft.ts'

/** A draft of a new product: one variant without options, which begins with these cells. */
export function newDraft(cells: Partial<Cells>, format: MoneyFormat): Draft {
  const texts = CELL_NAMES.map((cell) => [cell, textOf(cell, cells[cell] ?? null, format)])
  return {
    options: [],
    rows: [
      {
        _id: crypto.randomUUID(),
        values: [null, null, null],
        texts: Object.fromEntries(texts),
      },
    ],
  }
}

/**
 * The draft of a product without options with the cells of its only variant as they stand in the fields of a form. An
 * amount is a number there.
 */
export function withFields(draft: Draft, form: FormData, format: MoneyFormat): Draft {
  if (draft.options.length > 0) return draft
  const texts = CELL_NAMES.flatMap((cell) => {
    const value = form.get(cell)
    if (typeof value !== 'string') return []
    // an amount that cannot be read
    if (value === 'NaN') return [[cell, '']]
    return [[cell, isMoneyCell(cell) && value !== '' ? textOf(cell, Number(value), format) : value]]
  })
  return {
    ...draft,
    rows: draft.rows.map((row) => ({
      ...row,
      texts: { ...row.texts, ...Object.fromEntries(texts) },
    })),
  }
}

/** What the fields of the only variant begin with. A text that cannot be read is not among them. */
export function fieldsOf({ options, rows: [row] }: Draft, format: MoneyFormat): Partial<Cells> {
  if (options.length > 0 || !row) return {}
  const cells = Object.entries(cellsOf(row, format))
  return Object.fromEntries(cells.filter(([, value]) => !Number.isNaN(value)))
}

/** Whether a new product has options, or cells that are sent with variants only. */
export const needsVariants = ({ options, rows }: Draft) =>
  options.length > 0 ||
  rows.some(({ texts }) => CELL_NAMES.some((cell) => !isFormCell(cell) && texts[cell].trim()))

/** Price and quantity of the first variant, which the call for a new product asks for. */
export function offerOf({ rows: [row] }: Draft, format: MoneyFormat) {
  const { price, quantity } = row ? cellsOf(row, format) : { price: '', quantity: '' }
  return { price, quantity }
}
