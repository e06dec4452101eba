import { arch, cpus, loadavg, platform, totalmem } from 'node:os'

/**
 * The machine in a sentence, and how busy it is: what a reader needs to compare, and nothing that
 * names it.
 */
export function describeMachine(): string {
  const [cpu] = cpus()
  const [load = 0] = loadavg()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GB of memory, ${platform()} ${arch()}, Node ${process.versions.node}, load average ${load.toFixed(1)}`
}
