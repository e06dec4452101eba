import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { ENVIRONMENT } from './shop-process.ts'

const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 5

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
