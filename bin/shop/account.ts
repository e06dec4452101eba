import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { closeAccountByEmail } from '#app/accounts/server/privacy/close-account.ts'
import { personalDataByEmail } from '#app/accounts/server/privacy/personal-data.ts'
import { inShop } from './open-shop.ts'
import { writeWhole } from './write-whole.ts'

async function exportAccount(file: string, { email }: { email: string }) {
  await inShop(async (db) => {
    const data = Readable.from(await personalDataByEmail(db, email), { objectMode: false })
    if (file === '-') return pipeline(data, process.stdout, { end: false })
    return writeWhole(file, (partial) => pipeline(data, createWriteStream(partial)))
  })
}

async function close(closing: { email: string; withOpenOrders?: true }) {
  await inShop((db) => closeAccountByEmail(db, closing))
  console.log(`The account of ${closing.email} is closed. Its orders stay and name nobody.`)
}

export function addAccountCommands(program: Command) {
  const account = program.command('account').description("customers' requests about their data")
  account
    .command('export')
    .description('write everything that the shop keeps about a user to a JSON file')
    .argument('<file>', 'the file, or - for the standard output')
    .requiredOption('--email <email>', 'whose data')
    .action(exportAccount)
  account
    .command('close')
    .description('close an account for good: delete its personal data, keep its orders without it')
    .requiredOption('--email <email>', 'whose account')
    .option('--with-open-orders', 'also when orders are not sent yet; their addresses are lost')
    .action(close)
}
