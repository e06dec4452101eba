import { arch, cpus, loadavg, platform, totalmem } from 'node:os'

/** The machine in a sentence: what a reader needs to compare, and nothing that names it. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GB of memory, ${platform()} ${arch()}, Node ${process.versions.node}`
}

/** How busy the machine was within the last minute, as the system counts. */
export const describeLoad = () => (loadavg()[0] ?? 0).toFixed(1)
