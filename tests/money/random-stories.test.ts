/**
 * Random buyers and refunds in a shop as `npm start` starts it, while calls of the provider fail and its
 * webhooks are lost, doubled and reversed. `MONEY_SEED` makes the same choices again, `MONEY_RUNS` more.
 */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Person } from '../support/accounts.ts'
import { type LiveShop, openLiveShop } from '../support/razorpay/live-shop.ts'
import { seededRandom } from '../support/razorpay/random.ts'
import { type Told, tellStory, unsettledIn } from './random-story.ts'

const { MONEY_SEED = String(Date.now() % 1_000_000), MONEY_RUNS = '50' } = process.env
const SEED = Number(MONEY_SEED)
const STORIES = Number(MONEY_RUNS)
/** Stories at the same time. */
const LANES = 12
const SETTLED = { timeout: 90_000, interval: 500 }

let shop: LiveShop
beforeAll(async () => {
  shop = await openLiveShop({ admins: LANES, buyers: STORIES, random: seededRandom(SEED) })
})

describe(`${STORIES} random stories (MONEY_SEED=${SEED})`, () => {
  const told: Told[] = []

  it('end with an order or a refund for all money, and with each refund once', {
    timeout: STORIES * 4000 + 120_000,
  }, async () => {
    const { network, webhooks } = shop.razorpay
    webhooks.setDelivery({ lost: 0.2, doubled: 0.2, reversed: 0.2 })
    const random = seededRandom(SEED)
    const left = shop.people.map((buyer, n) => ({ buyer, random: seededRandom(SEED + n) }))
    const lane = async (admin: Person) => {
      for (let next = left.pop(); next; next = left.pop()) {
        const kind = random.pick(['error', 'cut before', 'cut after', 'twice'] as const)
        Object.assign(network.failing, { kind, share: 0.1 })
        shop.razorpay.lagLists(random.between(0, 3000))
        told.push(await tellStory(shop, { ...next, admin }))
      }
    }
    await Promise.all(shop.admins.map(lane))
    network.restore()
    shop.razorpay.lagLists(0)
    await webhooks.whenDone()
    await vi.waitFor(async () => {
      for (const one of told) expect(await unsettledIn(shop, one), one.behaviour).toEqual([])
    }, SETTLED)
  })

  it('leave nothing that the doctor finds wrong', async () => {
    // the second of two answers may still be on a connection that was kept: then it asks once more
    await expect
      .poll(() => shop.doctor(), { timeout: 10_000 })
      .toEqual([expect.stringMatching(/^ok +Refunds/), expect.stringMatching(/^ok +Invariants/)])
  })

  it('leave the shop in agreement with the provider, without gaps between invoices', async () => {
    const { payments, refundedOf } = shop.razorpay.account
    const broken = await shop.close(async (db) => {
      const { rows: money } = await sql<{ id: string; refunded_minor: number }>`
        select provider_payment_id as id, refunded_minor
        from captures cross join lateral refunds_of(id)`.execute(db)
      for (const { id, refunded_minor } of money)
        if (payments.get(id)?.captured) expect([id, refunded_minor]).toEqual([id, refundedOf(id)])
      const invoices = await db.selectFrom('invoices').select('number').orderBy('number').execute()
      expect(invoices.map(({ number }) => number)).toEqual(invoices.map((_, n) => n + 1))
    })
    expect(broken).toEqual({})
  })
})
