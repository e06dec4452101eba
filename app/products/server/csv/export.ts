import { csvText } from '#app/shared/server/csv/write.ts'
import { toMajor } from '#app/shared/server/money.ts'
import { STANDARD_CLASS } from '#app/taxes/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import { COLUMNS } from './columns.ts'
import { selectProductsAfter } from './store.ts'

/** Products in memory at a time; a description may have 10,000 characters. */
const PAGE = 500

type Row = Awaited<ReturnType<typeof selectProductsAfter>>[number]

const cellsOf = (row: Row) => [
  row.slug,
  row.name,
  row.description,
  toMajor(row.price_minor),
  row.quantity,
  row.category,
  row.shipping ? 1 : 0,
  row.quantity,
  row.weight_grams ?? '',
  row.tax_class ?? STANDARD_CLASS,
]

async function* pages(db: Database) {
  let rows = await selectProductsAfter(db, null, PAGE)
  while (rows.length > 0) {
    yield rows.map(cellsOf)
    rows = await selectProductsAfter(db, rows.at(-1)?.id ?? null, PAGE)
  }
}

/** Exports every product as CSV, oldest first. Importing the file gives the same catalogue. */
export const exportProducts = (db: Database) => csvText(COLUMNS, pages(db))
