import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError } from 'commander'

/** Takes what would be shown, and shows nothing. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, output: nowhere(), terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      for (const end of ['SIGINT', 'close']) lines.once(end, () => reject(new Error('Given up.')))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** The password from the standard input, or asked twice on the terminal, where it is not shown. */
export async function readPassword({ passwordStdin = false }): Promise<string> {
  if (passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new InvalidArgumentError('There is no terminal to ask on. Use --password-stdin.')
  const password = await ask('Password: ')
  if (password !== (await ask('Again: '))) throw new Error('The two passwords are not the same.')
  return password
}
