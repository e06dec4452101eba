/** The first line of a file of products: its columns, or the shop that exported it. */
import { trimCode } from '#app/shared/model/visible-text.ts'
import { readCsv } from '#app/shared/server/csv/read.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { type ColumnName, isColumn, NAMES } from './columns.ts'

/** Columns, in lower case, that only the product exports of another shop have: a file with all of one list is from there. */
const OTHER_SHOPS: [shop: string, columns: string[]][] = [
  ['Shopify', ['handle', 'body (html)']],
  ['Shopify', ['handle', 'variant price']],
  ['Shopify', ['url handle', 'title']],
  ['WooCommerce', ['type', 'regular price']],
  ['WooCommerce', ['parent', 'tax status']],
  ['Etsy', ['title', 'currency_code']],
  ['PrestaShop', ['product id', 'name *']],
  ['PrestaShop', ['product id', 'categories (x,y,z...)']],
  ['PrestaShop', ['product id', 'price (tax excl.)']],
]

/** Throws `invalid` for the export of another shop, in any encoding, and names that shop. */
export async function refuseOtherShops(path: string): Promise<void> {
  const records = readCsv(path, { anyEncoding: true })
  const first = await records.next()
  await records.return(undefined)
  const names = (first.value?.cells ?? []).map((cell: string) => cell.trim().toLowerCase())
  const found = OTHER_SHOPS.find(([, columns]) => columns.every((name) => names.includes(name)))
  if (!found) return
  throw invalid(
    `This is a product file of ${found[0]}. This shop cannot read it as it is: copy its products into the columns of Export products, which are ${NAMES.join(', ')}.`,
  )
}

function columnOf(cell: string): ColumnName | null {
  const name = trimCode(cell).toLowerCase()
  if (name === '') return null
  if (isColumn(name)) return name
  throw invalid(
    `There is no column "${name.slice(0, 100)}". Use the file of Export products, whose columns are ${NAMES.join(', ')}.`,
  )
}

/** The columns of a file; null is one without a name, which spreadsheets leave behind. */
export type Columns = (ColumnName | null)[]

/**
 * The columns of a header row, in any order and case. Throws `invalid` for an empty file, for an
 * unknown or repeated column, and when no column identifies the product.
 */
export function readHeader(cells: string[] | undefined): Columns {
  if (!cells) throw invalid('The file is empty. Its first line must name the columns.')
  const columns = cells.map(columnOf)
  const twice = columns.find((column, index) => column && columns.indexOf(column) < index)
  if (twice) throw invalid(`The column ${twice} appears twice.`)
  if (!columns.includes('slug') && !columns.includes('name'))
    throw invalid('The file needs a column slug, or a column name for new products.')
  return columns
}

/** Throws `invalid` when the file is of another shop or its header is wrong, before the rest is read. */
export async function checkHeader(path: string): Promise<void> {
  await refuseOtherShops(path)
  const records = readCsv(path)
  readHeader((await records.next()).value?.cells)
  await records.return(undefined)
}
