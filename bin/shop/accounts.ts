import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Command, InvalidArgumentError } from 'commander'
import { accountCalls } from '#app/accounts/contract.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import { answerTo, writeAnswer } from './run.ts'

const { register, forgotPassword } = accountCalls

/** An output that discards the echo of the typed text. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Prompts twice, without echo or history. Text typed ahead is used. */
async function promptTwice(): Promise<[string, string]> {
  const terminal = { input: process.stdin, output: nowhere(), terminal: true, historySize: 0 }
  const lines = createInterface(terminal)
  const answers = lines[Symbol.asyncIterator]()
  const prompt = async (question: string) => {
    process.stderr.write(question)
    const { value, done } = await answers.next()
    process.stderr.write('\n')
    if (done) throw new Error('Aborted.')
    return value
  }
  try {
    return [await prompt('Password: '), await prompt('Again: ')]
  } finally {
    lines.close()
  }
}

/** Reads the password from the standard input, or prompts for it twice on the terminal. */
async function readPassword(passwordStdin = false): Promise<string> {
  if (passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new InvalidArgumentError('There is no terminal to ask on. Use --password-stdin.')
  const [password, again] = await promptTwice()
  if (password !== again) throw new Error('The two passwords are not the same.')
  return password
}

function check(schema: object, value: object) {
  const wrong = checkOf(schema)(value)
  if (wrong) throw new Error(wrong)
}

type NewAdmin = Record<'email' | 'name' | 'phone' | 'address', string> & { passwordStdin?: true }

async function createAdmin({ passwordStdin, ...given }: NewAdmin) {
  // a random answer: an admin's password is reset by this command, not by the security answer
  const facts = { ...given, password: await readPassword(passwordStdin), answer: randomUUID() }
  check(register.body, facts)
  console.log(`${await answerTo('createAdmin', facts)} is an admin now.`)
}

async function resetPassword({ email, passwordStdin }: { email: string; passwordStdin?: true }) {
  const newPassword = await readPassword(passwordStdin)
  check(forgotPassword.body, { email, newPassword, answer: '-' })
  const account = await answerTo('resetPassword', { email, newPassword })
  console.log(
    `${account} has a new password, and every session of that account has ended. The old security answer is void; customers may set another one in their profile.`,
  )
}

async function closeAccount(closing: { email: string; withOpenOrders?: true }) {
  const email = await answerTo('closeAccount', closing)
  console.log(`The account of ${email} is closed. Its orders stay, without a name.`)
}

const STDIN = 'read the password from the standard input instead of asking'

export function addAccountCommands(program: Command) {
  const admin = program.command('admin').description('accounts of those who run the shop')
  admin
    .command('create')
    .description('open an account for an admin; asks for the password')
    .requiredOption('--email <email>', 'what the admin logs in with')
    .requiredOption('--name <name>', "the admin's name")
    .option('--phone <phone>', 'shown on the dashboard', '-')
    .option('--address <address>', 'where orders of the admin go', '-')
    .option('--password-stdin', STDIN)
    .action(createAdmin)
  admin
    .command('reset-password')
    .description(
      'give any account a new password, void its security answer, and end its sessions; asks for the password',
    )
    .requiredOption('--email <email>', 'whose password')
    .option('--password-stdin', STDIN)
    .action(resetPassword)
  const account = program.command('account').description("customers' requests about their data")
  account
    .command('export')
    .description('write all data stored about a user to a JSON file')
    .argument('<file>', 'the file, or - for the standard output')
    .requiredOption('--email <email>', 'whose data')
    .action((file, { email }) => writeAnswer(file, 'exportAccount', { email }))
  account
    .command('close')
    .description(
      'close an account permanently: delete its personal data, keep its orders without it',
    )
    .requiredOption('--email <email>', 'whose account')
    .option('--with-open-orders', 'also when orders are not sent yet; their addresses are lost')
    .action(closeAccount)
}
