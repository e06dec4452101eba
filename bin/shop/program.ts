import { Command } from 'commander'
import { formatFinding } from '#app/shared/server/doctor/finding.ts'
import { VERSION } from '#db/releases/version.ts'
import { requireValidConfigFile } from '#server/config-file.ts'
import { examine } from '#server/doctor/examine.ts'
import { addAccountCommands } from './accounts.ts'
import { addBackupCommands } from './backup.ts'
import { addFileCommands } from './files.ts'
import { answerTo } from './run.ts'
import { addSeedCommand } from './seed.ts'

async function doctor() {
  const findings = await examine(undefined, '.env')
  for (const finding of findings) console.log(formatFinding(finding))
  const problems = findings.filter(({ state }) => state === 'problem').length
  console.log(problems === 0 ? 'Nothing is wrong.' : `Wrong: ${problems}.`)
  if (problems > 0) process.exitCode = 1
}

async function sendParked() {
  const count = await answerTo('sendParked', {})
  console.log(`Parked e-mails that are queued now: ${count}. The running shop sends them.`)
}

async function dropParked() {
  console.log(`Parked e-mails that are deleted: ${await answerTo('dropParked', {})}.`)
}

/** All commands. A misuse throws `CommanderError`, after its message was printed. */
export const program = new Command('npm run shop --')
  .description('Runs the shop from the command line, with the settings of .env.')
  .version(VERSION)
  .exitOverride()
  .hook('preAction', (_program, command) => {
    // the doctor reports it among its findings
    if (command.name() !== 'doctor') requireValidConfigFile('.env')
  })
  .showHelpAfterError('(see --help)')

addAccountCommands(program)
addFileCommands(program)
const emails = program
  .command('emails')
  .description('e-mails that were queued when a restored backup was made, and are parked since')
emails.command('send-parked').description('send the parked e-mails').action(sendParked)
emails.command('drop-parked').description('delete the parked e-mails').action(dropParked)
addSeedCommand(program)
addBackupCommands(program)
program
  .command('doctor')
  .description('check settings, database, disk, clock and payments, and recommend what to do')
  .action(doctor)
