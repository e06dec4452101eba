import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { readConfig } from '#server/config.ts'
import { runCommand } from '#server/owner/socket.ts'

async function send() {
  const count = await text(await runCommand(readConfig(), 'sendParked', {}))
  console.log(`Parked e-mails that are queued now: ${count}. The running shop sends them.`)
}

async function drop() {
  const count = await text(await runCommand(readConfig(), 'dropParked', {}))
  console.log(`Parked e-mails that are deleted: ${count}.`)
}

export function addEmailCommands(program: Command) {
  const emails = program
    .command('emails')
    .description('e-mails that were queued when a restored backup was made, and are parked since')
  emails.command('send-parked').description('send the parked e-mails').action(send)
  emails.command('drop-parked').description('delete the parked e-mails').action(drop)
}
