import { globSync, readFileSync } from 'node:fs'

/** The processes that a process has started, where the system tells. */
export function childrenOf(pid: number): number[] {
  const found = globSync(`/proc/${pid}/task/*/children`).map((path) => readFileSync(path, 'utf8'))
  return found.join(' ').split(/\s+/).filter(Boolean).map(Number)
}
