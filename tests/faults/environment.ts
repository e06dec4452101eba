import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#tests/support/free-port.ts'
import { type FakeRazorpay, startFakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import type { Random } from '#tests/support/razorpay/random.ts'
import { type ShopProcess, startShopProcess } from '#tests/support/shop-process.ts'
import type { TestDatabase } from './database.ts'

/** How long a started payment reserves its stock here. */
const RESERVATION_SECONDS = 3

/** Shops in processes and with folders of their own, on one database and with one provider. */
export type Environment = {
  database: TestDatabase
  provider: FakeRazorpay
  /** The addresses of the shops; a shop keeps its address when it is restarted. */
  addresses: string[]
  shop: (n?: number) => ShopProcess
  /** The environment of a shop, and of the owner's commands on its machine. */
  environmentOf: (n?: number) => Record<string, string>
  start: (n?: number) => Promise<void>
  /** Stops all shops with SIGTERM. */
  stop: () => Promise<void>
  close: () => Promise<void>
}

const SETTINGS = {
  DEMO: 'off',
  RATE_LIMIT: 'off',
  RESERVATION_MINUTES: String(RESERVATION_SECONDS / 60),
  RETRY_SECONDS: '1',
}

type Options = { shops?: number; settings?: Record<string, string> }

/** Starts the provider and the shops; `settings` are for each shop. */
export async function openEnvironment(
  database: TestDatabase,
  random: Random,
  { shops: count = 1, settings = {} }: Options = {},
): Promise<Environment> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const processes: ShopProcess[] = []
  let webhooks = 0
  const nextShop = () => addresses[webhooks++ % count] ?? ''
  const provider = await startFakeRazorpay(nextShop, random)
  const folder = await mkdtemp(join(tmpdir(), 'haat-machines-'))
  const environmentOf = (n = 0) => ({
    ...SETTINGS,
    DATA_DIR: join(folder, String(n)),
    PORT: String(ports[n]),
    ...database.settings,
    ...provider.settings,
    ...settings,
  })
  const start = async (n = 0) => {
    processes[n] = await startShopProcess(environmentOf(n))
  }
  await Promise.all(ports.map((_port, n) => start(n)))
  const shop = (n = 0) => {
    const found = processes[n]
    if (!found) throw new Error(`There is no shop ${n}.`)
    return found
  }
  const stop = async () => {
    await Promise.all(processes.map((one) => one.stop()))
  }
  const close = async () => {
    await Promise.all(processes.map((one) => one.kill()))
    await provider.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { database, provider, addresses, shop, environmentOf, start, stop, close }
}
