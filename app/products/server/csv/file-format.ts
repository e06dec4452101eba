/** What a file shows as a whole before its rows are read: its columns, its numbers, and products whose rows are apart. */
import { trimCode } from '#app/shared/model/visible-text.ts'
import { readCsv } from '#app/shared/server/csv/read.ts'
import { type ColumnName, hasVariants, isNumber } from './columns.ts'
import { type Columns, readHeader, refuseOtherShops } from './header.ts'
import {
  agreedGroup,
  type NumberReader,
  numberEvidence,
  numberReader,
  type ShopNumbers,
  usualDecimal,
} from './numbers.ts'

export type FileFormat = {
  columns: Columns
  /** Whether rows of one slug that follow each other are the variants of one product. */
  areGrouped: boolean
  readNumber: NumberReader
  /** That of prices. */
  currency: string
  /** The lines where the rows of a product begin again, by its slug. */
  apart: ReadonlyMap<string, number[]>
}

export const namedColumns = (columns: Columns) =>
  columns.filter((name): name is ColumnName => name !== null)

/** The lines that a sentence names of a product whose rows are apart. */
const MAX_NAMED = 3

/** Reads a file through once. Throws `invalid` when it is of another shop, its header is wrong or it cannot be read. */
export async function inspectFile(path: string, shop: ShopNumbers): Promise<FileFormat> {
  await refuseOtherShops(path)
  const records = readCsv(path)
  const header = (await records.next()).value
  const columns = readHeader(header?.cells)
  const numbers = columns.flatMap((name, at) => (name && isNumber(name) ? [at] : []))
  const evidence = numberEvidence(shop)
  const areGrouped = hasVariants(namedColumns(columns))
  const slugAt = columns.indexOf('slug')
  const begins = new Map<string, number[]>()
  let previous: string | undefined
  for await (const { line, cells } of records) {
    for (const at of numbers) evidence.add(trimCode(cells[at] ?? ''))
    const slug = areGrouped ? trimCode(cells[slugAt] ?? '') : undefined
    if (slug && slug !== previous) {
      const lines = begins.get(slug)
      if (!lines) begins.set(slug, [line])
      else if (lines.length < MAX_NAMED) lines.push(line)
    }
    previous = slug
  }
  const decimal =
    evidence.decimal() ?? usualDecimal(header?.delimiter ?? '', shop, evidence.isMixed())
  const group = evidence.isMixed() ? null : agreedGroup(header?.delimiter ?? '', shop.format)
  return {
    columns,
    areGrouped,
    readNumber: numberReader(shop, { decimal, group }),
    currency: shop.currency,
    apart: new Map([...begins].filter(([, lines]) => lines.length > 1)),
  }
}
