import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError } from 'commander'

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
export async function readPassword({ passwordStdin = false }): Promise<string> {
  if (passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new InvalidArgumentError('There is no terminal to ask on. Use --password-stdin.')
  const [password, again] = await promptTwice()
  if (password !== again) throw new Error('The two passwords are not the same.')
  return password
}
