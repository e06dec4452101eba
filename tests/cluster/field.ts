import { openDatabase } from '#db/connect.ts'
import type { Database } from '#db/schema.ts'
import { type Goods, populate } from '#tests/faults/fixtures.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { startFakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import type { Random } from '#tests/support/razorpay/random.ts'
import { balanceOf, type Truth } from './accounting.ts'
import { openAdmins } from './admins.ts'
import { openCustomers } from './buyers.ts'
import { callerFrom, localAddress } from './caller.ts'
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'
import { type Journal, openJournal } from './journal.ts'
import { findPages, keepPages, openShoppers } from './shoppers.ts'
import { until } from './until.ts'

const BUYERS = 4
/** Buyers without pauses. */
const PEAK_BUYERS = 8
const SHOPPERS = 3
/** The provider loses some webhooks and doubles others: the shop asks it by itself. */
const DELIVERY = { lost: 0.1, doubled: 0.1 }

const SHOP_SETTINGS = {
  DEMO: 'off',
  // short, so that late payments are seen, too
  RESERVATION_MINUTES: '0.2',
  RETRY_SECONDS: '1',
  LOG_LEVEL: 'warn',
}

/** A cluster with clients that use it. */
export type Field = {
  cluster: Cluster
  random: Random
  journal: Journal
  /** Opens and closes the clients of the shop. */
  clients: { open: () => void; close: () => Promise<void> }
  /** Opens and closes more buyers, who make no pauses; their confirmed orders by payment. */
  peakBuyers: { open: () => void; close: () => Promise<void>; confirmed: Map<string, string> }
  /** Reads the primary in one snapshot. */
  readPrimary: <Found>(work: (db: Database) => Promise<Found>) => Promise<Found>
  balance: () => ReturnType<typeof balanceOf>
  /** The number of orders that buyers know of. */
  confirmed: () => number
  /** Waits until the database has its replicas, and every shop is ready and keeps all pages. */
  untilComplete: () => Promise<void>
  /** Resolves when the provider has sent its webhooks. */
  whenReported: () => Promise<void>
  close: () => Promise<void>
}

const readAt = async <Found>(
  databaseUrl: string,
  work: (db: Database) => Promise<Found>,
): Promise<Found> => {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

/** Accounts, and products: some to buy, one whose price changes, one that is delivered. */
async function fill(db: Database) {
  const population = await populate(db)
  const category = await addCategory(db, 'Baskets')
  const add = async (name: string): Promise<Goods> => {
    const { id, price_minor, quantity } = await addProduct(db, { category, name, quantity: 20 })
    return { _id: id, price: price_minor, initial: quantity }
  }
  const [priced, delivered] = [await add('Priced basket'), await add('Delivered basket')]
  for (const { _id: id } of [...population.goods, priced, delivered]) await addPhoto(db, { id })
  return { population, priced, delivered }
}

async function untilComplete({ replicated, shops }: Cluster, pages: string[]) {
  await replicated()
  for (const { name, address: at } of shops) {
    await until(`${name} is not ready`, async () => (await fetch(`${at}/readyz`)).ok)
    await keepPages(at, pages)
  }
}

/** Starts a cluster and fills its shop. */
export async function openField(random: Random, options: ClusterOptions = {}): Promise<Field> {
  let address = ''
  const provider = await startFakeRazorpay(() => address, random)
  provider.webhooks.setDelivery(DELIVERY)
  const shopSettings = { ...SHOP_SETTINGS, ...provider.liveSettings, ...options.shopSettings }
  const cluster = await startCluster({ ...options, shopSettings })
  address = cluster.address
  const { population, priced, delivered } = await readAt(await cluster.primaryUrl(), fill)
  const journal = openJournal()
  const common = { proxy: address, journal, random }
  const { shoppers: all, goods } = population
  const buying = { ...common, provider, goods: [...goods, delivered] }
  const shoppersOf = (from: number) => all.filter((_, n) => n % 2 === from)
  const customers = openCustomers({ ...buying, shoppers: shoppersOf(0), count: BUYERS })
  const peakBuyers = openCustomers({
    ...buying,
    shoppers: shoppersOf(1),
    count: PEAK_BUYERS,
    maxPauseMs: 0,
  })
  const { confirmed } = customers.log
  const pages = await findPages(callerFrom(address, localAddress(1999)))
  const shoppers = openShoppers({ ...common, pages, count: SHOPPERS })
  const admins = openAdmins({ ...common, admin: population.admin, priced, delivered, confirmed })
  const truth: Truth = { population, provider, confirmed, notes: admins.notes, priced, delivered }
  const allClients = [customers, shoppers, admins]
  const readPrimary: Field['readPrimary'] = async (work) =>
    readAt(await cluster.primaryUrl(), (db) =>
      db.transaction().setIsolationLevel('repeatable read').execute(work),
    )
  return {
    cluster,
    random,
    journal,
    peakBuyers: {
      open: peakBuyers.open,
      close: peakBuyers.close,
      confirmed: peakBuyers.log.confirmed,
    },
    clients: {
      open() {
        for (const some of allClients) some.open()
      },
      async close() {
        await Promise.all(allClients.map((some) => some.close()))
      },
    },
    readPrimary,
    balance: () => readPrimary((db) => balanceOf(db, truth)),
    confirmed: () => confirmed.size,
    untilComplete: () => untilComplete(cluster, pages),
    whenReported: () => provider.webhooks.whenDone(),
    async close() {
      await cluster.stop()
      await provider.close()
    },
  }
}
