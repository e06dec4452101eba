import { freePort } from '#tests/support/free-port.ts'
import { type ShopProcess, startShopProcess } from '#tests/support/shop-process.ts'
import type { Dice } from '../dice.ts'
import { type FakeRazorpay, startFakeRazorpay } from '../provider/fake-razorpay.ts'
import type { StageDatabase } from './database.ts'

/** How long a started payment keeps its stock here. */
export const HOLD_SECONDS = 3

/** Shops in processes of their own, on one database and with one provider. */
export type Stage = {
  database: StageDatabase
  provider: FakeRazorpay
  /** Where the shops are, the first first; each stays there when it is started anew. */
  addresses: string[]
  shop: (n?: number) => ShopProcess
  start: (n?: number) => Promise<void>
  /** Asks all that are there to end, and waits for it. */
  stop: () => Promise<void>
  close: () => Promise<void>
}

const SETTINGS = {
  DEMO: 'off',
  RATE_LIMIT: 'off',
  HOLD_MINUTES: String(HOLD_SECONDS / 60),
  RETRY_SECONDS: '1',
}

type Options = {
  shops?: number
  settings?: Record<string, string>
  /** Where everybody goes; otherwise to the shops in turn. */
  address?: () => string
}

/** Sets the stage and starts its shops; `settings` are for each of them. */
export async function setStage(
  database: StageDatabase,
  dice: Dice,
  { shops: count = 1, settings = {}, address }: Options = {},
): Promise<Stage> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const processes: ShopProcess[] = []
  let told = 0
  const anyShop = () => addresses[told++ % count] ?? ''
  const provider = await startFakeRazorpay(address ?? anyShop, dice)
  const start = async (n = 0) => {
    const own = { PORT: String(ports[n]), ...database.settings, ...provider.settings }
    processes[n] = await startShopProcess({ ...SETTINGS, ...own, ...settings })
  }
  for (const n of ports.keys()) await start(n)
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
  }
  return { database, provider, addresses, shop, start, stop, close }
}
