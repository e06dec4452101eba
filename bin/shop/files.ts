import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { takesMoney } from '#app/payments/server/providers/list.ts'
import type { ImportOptions, ImportStep } from '#app/products/admin-contract.ts'
import { readConfig } from '#server/config.ts'
import { runCommand } from '#server/owner/socket.ts'
import { answerTo, writeAnswer } from './run.ts'

const exportCsv = (file: string, { orders = false }) =>
  writeAnswer(file, orders ? 'exportOrders' : 'exportProducts', {})

/** A terminal gets one line that is rewritten; a log gets one line after the last row. */
function showProgress(rows: number, of?: number) {
  const line = of === undefined ? `Checked: ${rows}` : `Written: ${rows} of ${of}`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}`)
  else if (rows === of) process.stderr.write(`${line}\n`)
}

function showOutcome({ report, message }: Extract<ImportStep, { step: 'done' }>) {
  if (process.stderr.isTTY) process.stderr.write('\n')
  for (const { line, reason } of report.problems) console.error(`Line ${line}: ${reason}`)
  const more = report.wrong - report.problems.length
  if (more > 0) console.error(`… and ${more} more.`)
  console.log(message)
  if (report.wrong > 0) process.exitCode = 1
}

async function importCsv(file: string, options: ImportOptions) {
  await access(file)
  const input = createReadStream(file)
  const output = await runCommand(readConfig(), 'importProducts', options, input)
  for await (const line of createInterface({ input: output })) {
    const step: ImportStep = JSON.parse(line)
    if (step.step === 'checking') showProgress(step.rows)
    if (step.step === 'writing') showProgress(step.rows, step.of)
    if (step.step === 'done') showOutcome(step)
  }
}

async function importSettings(file: string) {
  await access(file)
  const config = readConfig()
  const chargeCurrency = {
    currency: config.CURRENCY_CHARGE,
    isFixed: config.isCurrencySet || takesMoney(config),
  }
  await answerTo('importSettings', { chargeCurrency }, createReadStream(file))
  console.log('The settings are imported. Pages show them at once.')
}

export function addFileCommands(program: Command) {
  program
    .command('export')
    .description('write every product to a CSV file')
    .argument('<file>', 'the file, or - for the standard output')
    .option('--orders', 'the orders instead of the products')
    .action(exportCsv)
  program
    .command('import')
    .description('read products from a CSV file with the columns of the export')
    .argument('<file>', 'the file')
    .option('--dry-run', 'only check every row, and write nothing')
    .option('--create-categories', 'add missing categories')
    .option('--partial', 'skip invalid rows, instead of refusing the file')
    .action(importCsv)
  const settings = program
    .command('settings')
    .description('the name, theme, texts and other settings of the shop as a file')
  settings
    .command('export')
    .description('write the settings and their pictures to a JSON file')
    .argument('<file>', 'the file, or - for the standard output')
    .action((file) => writeAnswer(file, 'exportSettings', {}))
  settings
    .command('import')
    .description('replace the settings by those of an exported file')
    .argument('<file>', 'the file')
    .action(importSettings)
}
