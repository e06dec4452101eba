import { invalid } from '#app/shared/server/failure.ts'

/**
 * The columns of the products' CSV in export order. `quantity_read` repeats the quantity and must
 * not be edited: an import then applies the difference, so that sales since the export stay.
 */
export const COLUMNS = [
  'slug',
  'name',
  'description',
  'price',
  'quantity',
  'category',
  'shipping',
  'quantity_read',
  'weight_grams',
  'tax_class',
] as const
export type Column = (typeof COLUMNS)[number]

const isColumn = (name: string): name is Column => COLUMNS.some((column) => column === name)

function columnOf(cell: string, index: number): Column {
  const name = cell.trim().toLowerCase()
  if (isColumn(name)) return name
  if (name === '') throw invalid(`Column ${index + 1} has no name.`)
  throw invalid(
    `There is no column "${name.slice(0, 100)}". The columns are ${COLUMNS.join(', ')}.`,
  )
}

/**
 * The columns of a header row, in any order and case. Throws `invalid` for an empty file, for an
 * unknown or repeated column, and when no column identifies the product.
 */
export function readHeader(cells: string[] | undefined): Column[] {
  if (!cells) throw invalid('The file is empty. Its first line must name the columns.')
  const columns = cells.map(columnOf)
  const twice = columns.find((column, index) => columns.indexOf(column) < index)
  if (twice) throw invalid(`The column ${twice} appears twice.`)
  if (!columns.includes('slug') && !columns.includes('name'))
    throw invalid('The file needs a column slug, or a column name for new products.')
  return columns
}
