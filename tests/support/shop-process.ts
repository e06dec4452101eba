import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConfigSchema } from '#server/config.ts'
import { refuseSecrets } from './secrets.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OPEN = /is open at (http:\/\/\S+)/
/**
 * Nothing of who runs the tests reaches the shop: neither their database nor their Razorpay keys
 * (empty counts as missing). Test runners set NODE_ENV, too; a shop is in production. All
 * that is asked of it comes from one address, so limits are off unless a test asks for them.
 */
const ENVIRONMENT = {
  ...Object.fromEntries(Object.keys(ConfigSchema.properties).map((name) => [name, ''])),
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT: 'off',
  DRAIN_SECONDS: '0',
}
const PATIENCE_MS = 120_000

export type ShopProcess = {
  address: string
  /** What it wrote since it is open: its warnings. */
  output: () => string
  /** Resident memory in MB; null where the system does not tell. */
  residentMb: () => number | null
  stop: () => Promise<void>
}

const ended = (shop: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (shop.exitCode !== null || shop.signalCode !== null) resolve()
    else shop.once('exit', () => resolve())
  })

function residentMb({ pid }: ChildProcess): number | null {
  try {
    const [, kilobytes] =
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes ? Math.round(Number(kilobytes) / 1024) : null
  } catch {
    return null
  }
}

/** Resolves with the address that the shop prints; rejects with its output when it gives up. */
function whenOpen(shop: ChildProcess, output: () => string) {
  return new Promise<string>((resolve, reject) => {
    const giveUp = (why: string) => {
      clearTimeout(timer)
      shop.kill('SIGKILL')
      reject(new Error(`The shop ${why}:\n${output()}`))
    }
    const timer = setTimeout(() => giveUp('did not open in time'), PATIENCE_MS)
    shop.once('exit', () => giveUp('ended while it started'))
    shop.stdout?.on('data', () => {
      const address = OPEN.exec(output())?.[1]
      if (!address) return
      clearTimeout(timer)
      shop.removeAllListeners('exit')
      resolve(address)
    })
  })
}

/** What `npm start` runs, but nobody's .env. */
function startCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const [, ...words] = String(scripts.start).split(' ')
  return words.filter((word) => word !== '.env')
}

/** Starts the shop as `npm start` does, in a process of its own, with these settings. */
export async function startShopProcess(settings: Record<string, string>): Promise<ShopProcess> {
  const shop = spawn(process.execPath, startCommand(), {
    cwd: ROOT,
    env: { ...process.env, ...ENVIRONMENT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  const output = () => written
  for (const stream of [shop.stdout, shop.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      written += chunk.toString()
    })
  }
  const address = await whenOpen(shop, output)
  const opened = written.length
  const stop = async () => {
    const end = ended(shop)
    shop.kill('SIGTERM')
    await end
    refuseSecrets(output())
  }
  return { address, output: () => written.slice(opened), residentMb: () => residentMb(shop), stop }
}
