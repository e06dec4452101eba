import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { Kysely } from 'kysely'
import { exportOrders } from '#app/orders/server/csv/export.ts'
import type { ImportOptions } from '#app/products/admin-contract.ts'
import { exportProducts } from '#app/products/server/csv/export.ts'
import { importProducts } from '#app/products/server/csv/import.ts'
import { outcomeOf } from '#app/products/server/csv/outcome.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { Schema } from '#db/schema.ts'
import { type Amounts, seed } from '#db/seed/seed.ts'
import { showProgress } from '#server/operation/progress.ts'
import { inShop } from './open-shop.ts'
import { writeWhole } from './write-whole.ts'

function amount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

async function sow(amounts: Amounts) {
  if (Object.keys(amounts).length === 0)
    throw new InvalidArgumentError('Say how many: --products, --users, --orders.')
  await inShop((db) =>
    seed(db, amounts, (kind, done, total) =>
      showProgress(`Seeding ${kind}`, process.stderr)(done, total),
    ),
  )
}

async function carryOut(file: string, { orders = false }) {
  const text = (db: Kysely<Schema>) => (orders ? exportOrders(db) : exportProducts(db))
  await inShop((db) =>
    file === '-'
      ? pipeline(text(db), process.stdout, { end: false })
      : writeWhole(file, (partial) => pipeline(text(db), createWriteStream(partial))),
  )
}

/** A terminal gets one line that is rewritten, a log a line when the last row is written. */
function progressOfImport() {
  let isLineOpen = false
  return {
    tell(rows: number, of?: number) {
      const line = of === undefined ? `Checked: ${rows}` : `Written: ${rows} of ${of}`
      isLineOpen = process.stderr.isTTY
      if (isLineOpen) process.stderr.write(`\r${line}`)
      else if (rows === of) process.stderr.write(`${line}\n`)
    },
    end() {
      if (isLineOpen) process.stderr.write('\n')
    },
  }
}

async function carryIn(file: string, options: ImportOptions) {
  const { tell, end } = progressOfImport()
  const { imported, report } = await inShop((db) =>
    importProducts(db, OWNER, { ...options, path: file, progress: tell }),
  ).finally(end)
  for (const { line, reason } of report.problems) console.error(`Line ${line}: ${reason}`)
  const untold = report.wrong - report.problems.length
  if (untold > 0) console.error(`… and ${untold} more.`)
  console.log(outcomeOf(imported, report))
  if (report.wrong > 0) process.exitCode = 1
}

export function addStockCommands(program: Command) {
  program
    .command('seed')
    .description('add many products, customers and orders, for tests and benchmarks')
    .option('--products <number>', 'how many products', amount)
    .option('--users <number>', 'how many customers, who cannot log in', amount)
    .option('--orders <number>', 'how many orders, over the last ninety days', amount)
    .action(sow)
  program
    .command('export')
    .description('write every product to a CSV file')
    .argument('<file>', 'the file, or - for the standard output')
    .option('--orders', 'the orders instead of the products')
    .action(carryOut)
  program
    .command('import')
    .description('read products from a CSV file with the columns of the export')
    .argument('<file>', 'the file')
    .option('--dry-run', 'only check every row, and write nothing')
    .option('--create-categories', 'add the categories that are not there')
    .option('--partial', 'leave wrong rows out, instead of refusing the whole')
    .action(carryIn)
}
