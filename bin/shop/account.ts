import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { readConfig } from '#server/config.ts'
import { runCommand } from '#server/owner/socket.ts'
import { writeOutput } from './write-whole.ts'

const exportAccount = (file: string, { email }: { email: string }) =>
  writeOutput(file, () => runCommand(readConfig(), 'exportAccount', { email }))

async function close(closing: { email: string; withOpenOrders?: true }) {
  const email = await text(await runCommand(readConfig(), 'closeAccount', closing))
  console.log(`The account of ${email} is closed. Its orders stay, without a name.`)
}

export function addAccountCommands(program: Command) {
  const account = program.command('account').description("customers' requests about their data")
  account
    .command('export')
    .description('write all data stored about a user to a JSON file')
    .argument('<file>', 'the file, or - for the standard output')
    .requiredOption('--email <email>', 'whose data')
    .action(exportAccount)
  account
    .command('close')
    .description(
      'close an account permanently: delete its personal data, keep its orders without it',
    )
    .requiredOption('--email <email>', 'whose account')
    .option('--with-open-orders', 'also when orders are not sent yet; their addresses are lost')
    .action(close)
}
