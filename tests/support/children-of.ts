import { globSync, readFileSync } from 'node:fs'

/** The child processes of a process, on Linux. */
export function childrenOf(pid: number): number[] {
  const found = globSync(`/proc/${pid}/task/*/children`).map((path) => readFileSync(path, 'utf8'))
  return found.join(' ').split(/\s+/).filter(Boolean).map(Number)
}
