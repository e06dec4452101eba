import { arch, cpus, loadavg, platform, totalmem } from 'node:os'

/** The machine in a sentence, without its name. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GB of memory, ${platform()} ${arch()}, Node ${process.versions.node}`
}

/** The load average of the last minute. */
export const describeLoad = () => (loadavg()[0] ?? 0).toFixed(1)
