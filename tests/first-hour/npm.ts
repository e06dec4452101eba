import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ConfigSchema } from '#server/config-schema.ts'
import { plainLines } from '#tests/support/plain-lines.ts'

/** A command of npm that is running. */
export type NpmCommand = {
  /** Resolves with the groups of a pattern in its output; rejects when it ends without them. */
  prints: (pattern: RegExp) => Promise<string[]>
  /** Resolves when it has succeeded; rejects with its output when it has failed. */
  done: Promise<void>
  /** Stops it as Ctrl-C does, with its child processes, and waits for them. */
  stop: () => Promise<void>
}

/** The environment of a shell: without settings of the shop, and of the test runner. */
const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !(name in ConfigSchema.properties) && name !== 'NODE_ENV',
    ),
  )

/** Runs npm in a folder, in a process group of its own. It is killed after `limitMs`. */
export function npm(folder: string, words: string[], limitMs: number): NpmCommand {
  const running = spawn('npm', words, {
    cwd: folder,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid, stdout, stderr } = running
  const signal = (name: NodeJS.Signals) => {
    // a group that has ended
    if (pid && running.exitCode === null && running.signalCode === null) process.kill(-pid, name)
  }
  const kill = () => signal('SIGKILL')
  process.once('exit', kill)
  const timer = setTimeout(kill, limitMs)
  const closed = once(running, 'close').finally(() => {
    clearTimeout(timer)
    process.off('exit', kill)
  })

  let output = ''
  const failure = () => new Error(`npm ${words.join(' ')} has ended:\n${output}`)
  for (const stream of [stdout, stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const done = closed.then(([code]) => {
    if (code !== 0) throw failure()
  })
  // the caller may stop it instead
  done.catch(() => {})
  return {
    done,
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const find = () => {
          const found = pattern.exec(plainLines(output))
          if (found) resolve(found.slice(1))
        }
        stdout.on('data', find)
        find()
        closed.then(() => reject(failure()), reject)
      }),
    async stop() {
      signal('SIGINT')
      await closed
    },
  }
}
