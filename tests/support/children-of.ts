import { globSync, readFileSync } from 'node:fs'

/** The text of a file of /proc; empty when its thread has ended since the folder was read. */
function readThread(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const hasEnded = error instanceof Error && /^(ENOENT|ESRCH)/.test(error.message)
    if (hasEnded) return ''
    throw error
  }
}

/** The child processes of a process, on Linux. */
export function childrenOf(pid: number): number[] {
  const found = globSync(`/proc/${pid}/task/*/children`).map(readThread)
  return found.join(' ').split(/\s+/).filter(Boolean).map(Number)
}
