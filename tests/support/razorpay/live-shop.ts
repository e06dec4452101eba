import { rm } from 'node:fs/promises'
import type { Order } from '#app/orders/contract.ts'
import type { PaymentProof } from '#app/payments/contract.ts'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Database } from '#db/schema.ts'
import { addPerson, type Person } from '../accounts.ts'
import { type Answer, clientOf } from '../api-client.ts'
import { addCategory, addProduct } from '../catalogue.ts'
import { contradictionsIn } from '../consistency.ts'
import { unpackDatabase } from '../database-image.ts'
import { freePort } from '../free-port.ts'
import { runShopCommand, type ShopProcess, startShopProcess } from '../shop-process.ts'
import { startFakeRazorpay } from './fake-razorpay.ts'
import { type Random, seededRandom } from './random.ts'

/** The price of the product, in minor units. */
export const PRICE = 100_000

type Options = {
  /** Settings of the shop. */
  settings?: Record<string, string>
  /** How many admins there are: each has limits of their own. */
  admins?: number
  /** How many people can buy. */
  buyers?: number
  quantity?: number
  random?: Random
  /** An empty database on a server; the embedded one by default. */
  databaseUrl?: string
  /** Changes the database before the shop opens it. */
  prepare?: (db: Database) => Promise<unknown>
}

type Call = { body?: unknown }
type Refund = { by?: Person; amount?: number; reason?: string; returnStock?: boolean }

type Location = { dataDir: string; databaseUrl?: string }

/** Fills a new database with people and one product. */
async function fill(
  location: Location,
  { admins: adminCount = 1, buyers = 10, quantity = 1000, prepare = async () => {} }: Options,
) {
  const { db, close } = await openDatabase(location)
  if (location.databaseUrl) await migrate(db)
  const admin = await addPerson(db, { admin: true })
  const admins = [admin]
  while (admins.length < adminCount) admins.push(await addPerson(db, { admin: true }))
  const people: Person[] = []
  while (people.length < buyers) people.push(await addPerson(db))
  const category = await addCategory(db, 'Kitchen')
  const product = await addProduct(db, { category, price: PRICE / 100, quantity })
  await prepare(db)
  await close()
  return { admin, admins, people, product: { _id: product.id } }
}

/** The calls of buyers and of the admin; each person calls from an address of their own. */
function callsOf(address: () => string, { admin, product }: Awaited<ReturnType<typeof fill>>) {
  const client = clientOf(address)
  const addresses = new Map<string, string>()
  const call = <Body>(
    { id, token }: Person,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    { body }: Call = {},
  ): Promise<Answer<Body>> => {
    const own = addresses.get(id) ?? `10.0.0.${addresses.size + 1}`
    addresses.set(id, own)
    return client<Body>(method, path, { token, body, address: own })
  }
  const cartOf = (quantity: number) => Array.from({ length: quantity }, () => product)
  const start = (person: Person, { quantity = 1 } = {}) =>
    call<{ id: string }>(person, 'POST', '/product/razorpay/order', {
      body: { amount: quantity * PRICE, cart: cartOf(quantity) },
    })
  const verify = (person: Person, proof: PaymentProof) =>
    call<{ order: Order }>(person, 'POST', '/product/razorpay/verify', { body: proof })
  return {
    call,
    start,
    verify,
    cancel: (person: Person, razorpay_order_id: string, releaseOnly = false) =>
      call(person, 'POST', '/product/razorpay/cancel', {
        body: { razorpay_order_id, ...(releaseOnly && { releaseOnly }) },
      }),
    ordersOf: async (person: Person) =>
      (await call<Order[]>(person, 'GET', '/auth/orders')).body as Order[],
    /** An admin refunds an order, or a part of it in major units. */
    refund: (orderId: string, { by = admin, reason = 'As asked.', ...rest }: Refund = {}) =>
      call(by, 'POST', `/payment/refund/${orderId}`, { body: { reason, ...rest } }),
  }
}

export type LiveShop = Awaited<ReturnType<typeof openLiveShop>>

/**
 * Starts a shop as `npm start` does, in a process of its own with its jobs, connected to a fake Razorpay with
 * live keys. It has an admin, people who can buy, and one product of `PRICE`. Needs no build for calls of
 * the API. End it with `close`, which answers the invariants that are broken.
 */
export async function openLiveShop(options: Options = {}) {
  const { settings = {}, random = seededRandom(1), databaseUrl = '' } = options
  const dataDir = await unpackDatabase()
  const location = databaseUrl ? { dataDir, databaseUrl } : { dataDir }
  const world = await fill(location, options)
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const razorpay = await startFakeRazorpay(() => address, random)
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DEMO: 'off',
    PORT: String(port),
    RETRY_SECONDS: '1',
    // each person has an address, and so limits of their own
    TRUST_PROXY: '127.0.0.1',
    ...razorpay.liveSettings,
    ...settings,
  }
  const start = () => startShopProcess(environment)
  /** The findings of `npm run shop -- doctor` about money: of refunds at the provider, and of the invariants. */
  const doctor = async () => {
    const lines = (await runShopCommand(['doctor'], environment)).split('\n')
    return lines.filter((line) => /^\S+ +(Refunds|Invariant)/.test(line))
  }
  let shop: ShopProcess = await start()
  return {
    ...world,
    ...callsOf(() => address, world),
    razorpay,
    address,
    dataDir,
    doctor,
    /** Kills the shop (SIGKILL). */
    kill: () => shop.kill(),
    /** Starts it again at the same address, after `kill`. */
    restart: async () => {
      shop = await start()
    },
    /**
     * Stops everything, and answers the ids of the rows that break an invariant, by its name; `look` gets the
     * database before.
     */
    async close(look: (db: Database) => Promise<unknown> = async () => {}) {
      await shop.stop()
      await razorpay.close()
      const { db, close } = await openDatabase(location)
      await look(db)
      const broken = await contradictionsIn(db)
      await close()
      await rm(dataDir, { recursive: true })
      return broken
    },
  }
}
