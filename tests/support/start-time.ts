import { type ChildProcess, spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { ENVIRONMENT } from './shop-process.ts'

const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 5
const LOOK_AROUND_MS = 1000

async function firstAnswer(address: string, started: number): Promise<number> {
  while (performance.now() - started < PATIENCE_MS) {
    // read whole: the shop waits for what it still sends before it ends
    const ok = await fetch(address).then(
      async (answer) => (await answer.text()) !== '' && answer.ok,
      () => false,
    )
    if (ok) return Math.round(performance.now() - started)
    await setTimeout(LOOK_AGAIN_MS)
  }
  throw new Error('The shop did not answer after npm start.')
}

/** npm and the shop that it starts end together. */
async function stop(npm: ChildProcess) {
  const end = new Promise<void>((resolve) => npm.once('close', () => resolve()))
  if (npm.pid) process.kill(-npm.pid, 'SIGTERM')
  await end
}

/** Processor time of all and of idle cores so far, in milliseconds. */
function processorTime() {
  const times = cpus().map((core) => core.times)
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, one) => sum + one, 0)
  return { all, idle: times.reduce((sum, one) => sum + one.idle, 0) }
}

/** Whether somebody else keeps the machine so busy that no time taken on it means anything. */
export async function isMachineBusy(): Promise<boolean> {
  const before = processorTime()
  await setTimeout(LOOK_AROUND_MS)
  const after = processorTime()
  return (after.idle - before.idle) / (after.all - before.all) < 0.7
}

/** Milliseconds from `npm start` to the first home page. */
export async function measureStart(settings: Record<string, string>): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  const npm = spawn('npm', ['start'], {
    detached: true,
    env: { ...process.env, ...ENVIRONMENT, ...settings, PORT: `${port}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  npm.stdout.resume()
  npm.stderr.resume()
  try {
    return await firstAnswer(`http://127.0.0.1:${port}/`, started)
  } finally {
    await stop(npm)
  }
}
