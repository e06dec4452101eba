import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { accountCalls } from '#app/accounts/contract.ts'
import { checkOf } from '#app/shared/server/validation.ts'
import { readConfig } from '#server/config.ts'
import { runCommand } from '#server/owner/socket.ts'
import { readPassword } from './password.ts'

const { register, forgotPassword } = accountCalls

function check(schema: object, value: object) {
  const wrong = checkOf(schema)(value)
  if (wrong) throw new Error(wrong)
}

type NewAdmin = Record<'email' | 'name' | 'phone' | 'address', string> & { passwordStdin?: true }

async function create({ passwordStdin, ...given }: NewAdmin) {
  // a random answer: an admin's password is reset by this command, not by the security answer
  const facts = { ...given, password: await readPassword({ passwordStdin }), answer: randomUUID() }
  check(register.body, facts)
  const email = await text(await runCommand(readConfig(), 'createAdmin', facts))
  console.log(`${email} is an admin now.`)
}

async function reset({ email, passwordStdin }: { email: string; passwordStdin?: true }) {
  const newPassword = await readPassword({ passwordStdin })
  check(forgotPassword.body, { email, newPassword, answer: '-' })
  const account = await text(
    await runCommand(readConfig(), 'resetPassword', { email, newPassword }),
  )
  console.log(
    `${account} has a new password, and every session of that account has ended. The old security answer is void; customers may set another one in their profile.`,
  )
}

const STDIN = 'read the password from the standard input instead of asking'

export function addAdminCommands(program: Command) {
  const admin = program.command('admin').description('accounts of those who run the shop')
  admin
    .command('create')
    .description('open an account for an admin; asks for the password')
    .requiredOption('--email <email>', 'what the admin logs in with')
    .requiredOption('--name <name>', "the admin's name")
    .option('--phone <phone>', 'shown on the dashboard', '-')
    .option('--address <address>', 'where orders of the admin go', '-')
    .option('--password-stdin', STDIN)
    .action(create)
  admin
    .command('reset-password')
    .description(
      'give any account a new password, void its security answer, and end its sessions; asks for the password',
    )
    .requiredOption('--email <email>', 'whose password')
    .option('--password-stdin', STDIN)
    .action(reset)
}
