import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { killAll, signalAll, treeOf } from './processes.ts'
import { until } from './until.ts'

/** A program, or several that stand for one machine. */
export type Program = {
  name: string
  /** The processes that run now, with their descendants. */
  pids: () => number[]
  /** SIGKILL to all of its processes; resolves when they have ended. */
  kill: () => Promise<void>
  /** SIGSTOP to all of its processes. */
  freeze: () => void
  /** SIGCONT. */
  thaw: () => void
  /** Starts it on the same data; resolves when it answers. */
  start: () => Promise<void>
  /** SIGTERM; resolves when its processes have ended. */
  stop: () => Promise<void>
}

/** Several programs that are one machine: they are started in order, and stopped in reverse. */
export type Machine<Name extends string> = Program & { programs: Record<Name, Program> }

export type Command = {
  name: string
  /** The command and its arguments. */
  command: [string, ...string[]]
  environment?: Record<string, string>
  logFile: string
  isReady: () => Promise<boolean>
  /** Processes of it that are no descendants. */
  others?: () => number[]
}

/** Servers refuse to run as root, or should not: then they run as the user of PostgreSQL's package. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The processes of all programs, which end with this one. */
const started = new Set<() => number[]>()
process.once('exit', () => {
  for (const pids of started) signalAll(pids(), 'SIGKILL')
})

/** Signals and the end, for processes that are found by `pids`. */
export function controlsOf(name: string, pids: () => number[]) {
  started.add(pids)
  return {
    name,
    pids,
    kill: () => killAll(pids),
    freeze: () => {
      // once more for those that were started meanwhile
      for (const _round of [1, 2]) signalAll(pids(), 'SIGSTOP')
    },
    thaw: () => signalAll(pids(), 'SIGCONT'),
  }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** A program that is started by a command. */
export function programOf(settings: Command): Program {
  const { name, command, environment, logFile, isReady, others = () => [] } = settings
  const [file, ...args] = command
  let child: ChildProcess | undefined
  const own = () => (child?.pid && isAlive(child) ? treeOf(child.pid) : [])
  const pids = () => [...new Set([...own(), ...others().flatMap(treeOf)])]
  const start = async () => {
    const log = openSync(logFile, 'a')
    const launched = spawn(file, args, {
      ...serverUser(),
      cwd: dirname(logFile),
      env: { ...process.env, ...environment },
      stdio: ['ignore', log, log],
    })
    child = launched
    await once(launched, 'spawn')
    const hasEnded = () => !isAlive(launched)
    const isUp = async () => hasEnded() || (await isReady())
    await until(`${name} does not answer`, isUp, 120)
    if (hasEnded())
      throw new Error(`${name} has ended:\n${readFileSync(logFile, 'utf8').slice(-3000)}`)
  }
  const stop = async () => {
    if (!child || !isAlive(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { ...controlsOf(name, pids), start, stop }
}

/** Programs that are one machine. */
export function machineOf<Name extends string>(
  name: string,
  programs: Record<Name, Program>,
): Machine<Name> {
  const all = Object.values<Program>(programs)
  const pids = () => all.flatMap((program) => program.pids())
  const start = async () => {
    for (const program of all) await program.start()
  }
  const stop = async () => {
    for (const program of all.toReversed()) await program.stop()
  }
  return { ...controlsOf(name, pids), programs, start, stop }
}
