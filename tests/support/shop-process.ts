import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ConfigSchema } from '#server/config-schema.ts'
import { plainLines } from './plain-lines.ts'
import { refuseSecrets } from './secrets.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OPEN = /is open at (http:\/\/\S+)/
/**
 * The shop does not inherit settings of the test run: neither its database nor its Razorpay keys
 * (empty counts as missing), nor NODE_ENV, which test runners set. All requests come from one
 * address, so limits are off by default.
 */
const ENVIRONMENT = {
  ...Object.fromEntries(Object.keys(ConfigSchema.properties).map((name) => [name, ''])),
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT: 'off',
  DRAIN_SECONDS: '0',
  // one process by default, which is measured and killed
  WORKERS: '1',
}
const PATIENCE_MS = 120_000
const LOOK_MS = 50

/** Printed when the demo has all its photos. */
const PHOTOS = /^Photos of the demo: (\d+) of \1$/m

export type ShopProcess = {
  address: string
  /** Its whole output. */
  written: () => string
  /** The output as it was written: lines of JSON. */
  json: () => string
  /** Its output since it opened: warnings. */
  output: () => string
  /** Resident memory in MB; null where it is not available. */
  residentMb: () => number | null
  /** Stops it (SIGTERM), and returns its exit code. */
  stop: () => Promise<number | null>
  /** Kills it (SIGKILL). */
  kill: () => Promise<void>
  /** Sends it another signal. */
  signal: (name: NodeJS.Signals) => void
  /** Whether it is running. */
  isAlive: () => boolean
  /** Resolves when it has exited: the exit code, null after a signal. */
  ended: Promise<number | null>
  pid: number | undefined
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

async function end(shop: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = isAlive(shop) && once(shop, 'exit')
  shop.kill(signal)
  await ended
  return shop.exitCode
}

function residentMb({ pid }: ChildProcess): number | null {
  try {
    const [, kilobytes] =
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes ? Math.round(Number(kilobytes) / 1024) : null
  } catch {
    return null
  }
}

/** Resolves with the address that the shop prints; rejects with its output when it exits. */
function whenOpen(shop: ChildProcess, output: () => string) {
  let leave = () => {}
  return new Promise<string>((resolve, reject) => {
    const giveUp = (why: string) => {
      shop.kill('SIGKILL')
      reject(new Error(`The shop ${why}:\n${output()}`))
    }
    const timer = globalThis.setTimeout(() => giveUp('did not open in time'), PATIENCE_MS)
    const ends = (code: number | null) => giveUp(`ended with ${code} while it started`)
    const looks = () => {
      const address = OPEN.exec(output())?.[1]
      if (address) resolve(address)
    }
    shop.once('exit', ends)
    shop.stdout?.on('data', looks)
    leave = () => {
      clearTimeout(timer)
      shop.off('exit', ends)
      shop.stdout?.off('data', looks)
    }
  }).finally(() => leave())
}

/** Waits until the demo's photos are made, which happens while the shop is open. */
export async function whenPhotosAreMade({ output, isAlive: isOpen }: ShopProcess): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  while (!PHOTOS.test(output())) {
    if (!isOpen() || patience.aborted) throw new Error(`The demo has no photos:\n${output()}`)
    await setTimeout(LOOK_MS)
  }
}

/** The command of `npm start`, without the .env file. */
function startCommand(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // the second is for a shell without `exec`
  const [command = ''] = String(scripts.start).split(' || ')
  // behind the check of Node's version, which releases until 0.6.0 do not have
  const [, words = ''] = /.*node (.+)$/.exec(command) ?? []
  return words.split(' ').filter((word) => word !== '.env')
}

/** Starts the shop of a checkout as `npm start` does, in a process of its own, with these settings. */
export async function startShopProcess(
  settings: Record<string, string>,
  root = ROOT,
): Promise<ShopProcess> {
  const shop = spawn(process.execPath, startCommand(root), {
    cwd: root,
    env: { ...process.env, ...ENVIRONMENT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // the shop ends with the tests
  const killNow = () => shop.kill('SIGKILL')
  process.once('exit', killNow)
  shop.once('exit', () => process.off('exit', killNow))
  const ended = once(shop, 'close').then(() => shop.exitCode)
  let written = ''
  const output = () => plainLines(written)
  for (const stream of [shop.stdout, shop.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      written += chunk.toString()
    })
  }
  const address = await whenOpen(shop, output)
  const opened = output().length
  return {
    address,
    written: output,
    json: () => written,
    output: () => output().slice(opened),
    residentMb: () => residentMb(shop),
    stop: async () => {
      const ending = await end(shop, 'SIGTERM')
      // the demo's logins are printed on purpose
      refuseSecrets(output().replace(/^Demo .*$/gm, ''))
      return ending
    },
    kill: async () => {
      await end(shop, 'SIGKILL')
    },
    signal: (name) => {
      shop.kill(name)
    },
    isAlive: () => isAlive(shop),
    ended,
    pid: shop.pid,
  }
}

/** Runs `npm run shop -- …` with these settings; resolves with what it prints. */
export async function runShopCommand(
  words: string[],
  settings: Record<string, string>,
): Promise<string> {
  const command = ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', ...words]
  const env = { ...process.env, ...ENVIRONMENT, ...settings }
  const running = spawn(process.execPath, command, { cwd: ROOT, env })
  const printed = await Promise.all([text(running.stdout), text(running.stderr)])
  return printed.join('')
}
