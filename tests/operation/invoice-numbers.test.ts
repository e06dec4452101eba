import { describe, expect, it } from 'vitest'
import type { Invoice, Order } from '#app/orders/contract.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type LiveShop, openLiveShop } from '../support/razorpay/live-shop.ts'

const KILLS = 5
/** Of six starts of a shop, one after the other. */
const TIMEOUT_MS = 6 * 30_000

async function buy(shop: LiveShop, at: number): Promise<Order> {
  const person = shop.people[at]
  if (!person) throw new Error('There are too few people.')
  const { body } = await shop.start(person)
  const proof = shop.razorpay.pay((body as { id: string }).id)
  const verified = await shop.verify(person, proof)
  return (verified.body as { order: Order }).order
}

const invoiceOf = async (shop: LiveShop, { _id }: Order) =>
  (await shop.call<Invoice>(shop.admin, 'GET', `/order/invoice/${_id}`)).body as Invoice

/** Kills the shop, and the server with its database, and starts both again. */
async function killAll(shop: LiveShop, postgres: Postgres | null) {
  await shop.kill()
  await postgres?.kill()
  await postgres?.restart()
  await shop.restart()
}

/** The numbers of orders and invoices of a shop that is killed between its orders. */
async function sellBetweenKills(postgres: Postgres | null) {
  const shop = await openLiveShop({
    buyers: KILLS + 1,
    ...(postgres && { databaseUrl: postgres.url }),
  })
  const orders: Order[] = []
  for (let at = 0; at <= KILLS; at += 1) {
    orders.push(await buy(shop, at))
    // every other invoice is opened before the kill, so that its number was seen
    const last = orders.at(-1)
    if (last && at % 2 === 0) await invoiceOf(shop, last)
    if (at < KILLS) await killAll(shop, postgres)
  }
  const invoices: Invoice[] = []
  for (const order of orders) invoices.push(await invoiceOf(shop, order))
  expect(await shop.close()).toEqual({})
  return invoices
}

describe('numbers of invoices', () => {
  const expectNoGap = (invoices: Invoice[]) => {
    expect(invoices.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
    // the numbers of the orders have gaps, which the kills have made
    expect(invoices.at(-1)?.orderNumber).toBeGreaterThan(KILLS + 1)
  }

  it(
    'have no gap when the embedded shop is killed five times between orders',
    async () => {
      expectNoGap(await sellBetweenKills(null))
    },
    TIMEOUT_MS,
  )

  it(
    'have no gap when PostgreSQL is killed with the shop',
    async ({ skip }) => {
      // with its usual durability
      const postgres = await startPostgres([])
      if (!postgres) return skip('PostgreSQL is not installed')
      expectNoGap(await sellBetweenKills(postgres).finally(() => postgres.stop()))
    },
    TIMEOUT_MS,
  )
})
