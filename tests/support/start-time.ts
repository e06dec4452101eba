import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { startShopProcess } from './shop-process.ts'

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
