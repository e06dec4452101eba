import { readFileSync } from 'node:fs'
import { childrenOf } from '../support/children-of.ts'
import { until } from './until.ts'

/** A process and its descendants. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

/** Whether the process runs: neither ended, nor waiting for its parent to notice that. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Sends a signal to those that still run. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids.filter(isRunning)) {
    try {
      process.kill(pid, signal)
    } catch {
      // it has ended meanwhile
    }
  }
}

/** Kills the processes that `find` lists, until it finds none: some may start others meanwhile. */
export async function killAll(find: () => number[]): Promise<void> {
  const killed = new Set<number>()
  await until('processes still run that were killed', () => {
    for (const pid of find()) killed.add(pid)
    signalAll([...killed], 'SIGKILL')
    return ![...killed].some(isRunning)
  })
}

/** The postmaster that uses a data folder, if one runs. It may outlive the Patroni that started it. */
export function postmasterOf(dataFolder: string): number | undefined {
  try {
    const [pid] = readFileSync(`${dataFolder}/postmaster.pid`, 'utf8').split('\n')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes(dataFolder) ? Number(pid) : undefined
  } catch {
    return undefined
  }
}
