/** What is kept in memory, beside a server that does nothing but send the same bytes. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { productCalls } from '#app/products/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { describeMachine } from '../machine.ts'
import { table } from '../table.ts'
import type { Load, Speed } from './load.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 32
const ALLOWED = { share: 0.9, p99: 1.5 }

const start = (file: string) => fork(fileURLToPath(new URL(file, import.meta.url)))

async function tell(child: ChildProcess, message: object): Promise<unknown> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('The other process ended.')
  })
  child.send(message)
  const [answer] = await Promise.race([once(child, 'message'), ended])
  return answer
}

const measure = async (load: Load) => (await tell(start('./load.ts'), load)) as Speed

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

type Compared = { what: string; shop: Speed[]; bare: Speed[] }

/** One after the other, in turns, so that what else the machine does meets both. */
async function compare(shop: string, what: string, path: string): Promise<Compared> {
  const server = start('./bare-server.ts')
  try {
    const limit = String(await tell(server, { address: shop, path }))
    const compared: Compared = { what, shop: [], bare: [] }
    const load = { path, connections: CONNECTIONS, seconds: SECONDS }
    for (const side of [shop, limit]) await measure({ ...load, address: side, seconds: 1 })
    for (let round = 0; round < ROUNDS; round++) {
      compared.shop.push(await measure({ ...load, address: shop }))
      compared.bare.push(await measure({ ...load, address: limit }))
    }
    return compared
  } finally {
    server.kill()
  }
}

/** Of each round its own ratio: the machine was the same for both. */
function ratiosOf({ shop, bare }: Compared) {
  const ratio = (of: (speed: Speed) => number) =>
    median(shop.map((speed, round) => of(speed) / of(bare[round] ?? speed)))
  return { share: ratio(({ perSecond }) => perSecond), p99: ratio(({ p99 }) => p99) }
}

const isAllowed = (compared: Compared) => {
  const { share, p99 } = ratiosOf(compared)
  return share >= ALLOWED.share && p99 <= ALLOWED.p99
}

function rowOf(compared: Compared): string[] {
  const { what, shop, bare } = compared
  const of = (speeds: Speed[], pick: (speed: Speed) => number) => median(speeds.map(pick))
  const perSecond = (speeds: Speed[]) => String(Math.round(of(speeds, (one) => one.perSecond)))
  const times = (speeds: Speed[]) =>
    [of(speeds, ({ p50 }) => p50), of(speeds, ({ p99 }) => p99)].map((time) => time.toFixed(2))
  const { share, p99 } = ratiosOf(compared)
  const ratios = [share.toFixed(2), p99.toFixed(2), isAllowed(compared) ? 'yes' : 'no']
  return [what, perSecond(shop), perSecond(bare), ...times(shop), ...times(bare), ...ratios]
}

const HEADER = ['kept', 'shop, a second', 'limit, a second', 'p50, ms', 'p99, ms']
const LIMIT = ['limit p50, ms', 'limit p99, ms', 'of the limit', 'p99 ratio', 'allowed']

async function addressesIn(shop: string): Promise<[what: string, path: string][]> {
  const list = address(productCalls.listProducts, { page: 1 }, {})
  const { products } = await (await fetch(shop + list)).json()
  const [{ slug, _id, category }] = products
  const details = address(
    productCalls.relatedProducts,
    { productId: _id, categoryId: category },
    {},
  )
  const { products: related } = await (await fetch(shop + details)).json()
  return [
    ['home page', '/'],
    ['product page', `/product/${slug}`],
    ['category page', `/category/${related[0].category.slug}`],
    ['search page', '/search?q=lamp'],
    ['product-list call', list],
    ['get-product call', address(productCalls.getProduct, { slug }, {})],
    ['photo, 640 wide', address(productCalls.productPhoto, { id: _id }, { w: 640 })],
  ]
}

/** Measures and prints; answers whether all of it is as fast as it has to be. */
export async function benchCache(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  const shop = await startShopProcess({ DATA_DIR: folder, DEMO: 'on', SANDBOX_SECRET: 'bench' })
  try {
    const all: Compared[] = []
    for (const [what, path] of await addressesIn(shop.address)) {
      all.push(await compare(shop.address, what, path))
    }
    console.log(`${describeMachine()}; ${CONNECTIONS} connections, medians of ${ROUNDS} rounds\n`)
    console.log(table([...HEADER, ...LIMIT], all.map(rowOf)))
    return all.every(isAllowed)
  } finally {
    await shop.stop()
    await rm(folder, { recursive: true })
  }
}
