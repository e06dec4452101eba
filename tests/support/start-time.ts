import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startShopProcess } from './shop-process.ts'

const PACKAGES_START = fileURLToPath(new URL('packages-start.ts', import.meta.url))

const LOOK_AROUND_MS = 1000

/** The total and the idle CPU time so far, in milliseconds. */
function processorTime() {
  const times = cpus().map((core) => core.times)
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, one) => sum + one, 0)
  return { all, idle: times.reduce((sum, one) => sum + one.idle, 0) }
}

/** Whether other processes use the machine so much that times are meaningless. */
export async function isMachineBusy(): Promise<boolean> {
  const before = processorTime()
  await setTimeout(LOOK_AROUND_MS)
  const after = processorTime()
  return (after.idle - before.idle) / (after.all - before.all) < 0.7
}

/** Milliseconds from the start of the shop's process to its first home page, whole. */
export async function measureStart(
  settings: Record<string, string>,
  root?: string,
): Promise<number> {
  const started = performance.now()
  const shop = await startShopProcess(settings, root)
  try {
    const answer = await fetch(shop.address)
    await answer.text()
    if (!answer.ok) throw new Error(`The home page answered ${answer.status} after a start.`)
    return Math.round(performance.now() - started)
  } finally {
    await shop.stop()
  }
}

/**
 * Milliseconds of a process that only imports the shop's packages and opens its database: what a start
 * takes on this machine without the shop's own part.
 */
export async function measurePackagesStart(settings: Record<string, string>): Promise<number> {
  const { DATABASE_URL, DATA_DIR = '' } = settings
  const embedded = DATABASE_URL ? [] : [DATA_DIR]
  const started = performance.now()
  await promisify(execFile)(process.execPath, [PACKAGES_START, ...embedded], {
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
  })
  return Math.round(performance.now() - started)
}
