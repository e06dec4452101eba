import { setTimeout } from 'node:timers/promises'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Random } from '#tests/support/razorpay/random.ts'
import { type Caller, callerFrom, localAddress } from './caller.ts'
import type { Journal } from './journal.ts'
import { until } from './until.ts'

const PAUSE_MS = { min: 60, max: 200 }
/** The share of searches: their number is limited. */
const SEARCHES = 0.1
const WORDS = ['cup', 'clay', 'kettle', 'lamp', 'rug', 'tea', 'jug', 'bowl'] as const

/** The address of the first shopper among those of the clients. */
const FIRST_ADDRESS = 2000

/** The pages that every visitor sees, which the page cache keeps. */
export async function findPages(call: Caller): Promise<[string, ...string[]]> {
  const { text } = await call(`${API_PREFIX}/product/product-list/1`)
  const { products }: { products: { _id: string; slug: string }[] } = JSON.parse(text)
  const kept = products.slice(0, 4)
  return [
    '/',
    '/about',
    `${API_PREFIX}/category/get-category`,
    `${API_PREFIX}/product/product-list/1`,
    ...kept.map(({ slug }) => `/product/${slug}`),
    ...kept.map(({ _id }) => `${API_PREFIX}/product/product-photo/${_id}?w=320`),
  ]
}

type Options = {
  proxy: string
  journal: Journal
  random: Random
  pages: [string, ...string[]]
  count: number
}

/** Asks a shop for pages until it has rendered each of them. */
export async function keepPages(shop: string, pages: string[]): Promise<void> {
  const call = callerFrom(shop, localAddress(1998))
  for (const path of pages)
    await until(`${path} is not answered`, async () => (await call(path)).status === 200)
}

/** Shoppers who look at pages, photos and searches, each from an address of their own. */
export function openShoppers({ proxy, journal, random, pages, count }: Options) {
  let isOpen = false
  const callers = Array.from({ length: count }, (_, n) =>
    callerFrom(proxy, localAddress(FIRST_ADDRESS + n), true),
  )
  const visit = async (call: Caller) => {
    while (isOpen) {
      const isSearch = random.chance(SEARCHES)
      const word = `${random.pick(WORDS)}%20${random.between(1, 1000)}`
      const path = isSearch ? `${API_PREFIX}/product/search/${word}` : random.pick(pages)
      await journal.send(isSearch ? 'list' : 'page', path, () => call(path))
      await setTimeout(random.between(PAUSE_MS.min, PAUSE_MS.max))
    }
  }
  let visits: Promise<void>[] = []
  return {
    open() {
      isOpen = true
      visits = callers.map(visit)
    },
    async close() {
      isOpen = false
      await Promise.all(visits)
    },
  }
}
