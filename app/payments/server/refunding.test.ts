import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { throwDice } from '#tests/faults/dice.ts'
import { startFakeRazorpay } from '#tests/faults/provider/fake-razorpay.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { deskOf } from '#tests/support/desk.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import type { PaymentProvider } from './providers/provider.ts'
import { razorpay } from './providers/razorpay.ts'
import { retryRefunds } from './refunds.ts'
import { verifyPayment } from './settlement.ts'

let address = ''
const bank = await startFakeRazorpay(() => address, throwDice(1))
const shop = testShop(bank.settings)
const { start, verify, letHoldsExpire } = purchases(shop)
const { messenger, books, refunding } = bank

let category: { id: string }
let admin: Person

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
  admin = await addPerson(shop.db, { admin: true })
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  messenger.goes({})
  Object.assign(refunding, { failing: 0, afterMs: 'never' })
})
afterAll(() => bank.close())

/** What the jobs work with: the shop's provider, as it is or broken. */
function desk(broken: (provider: PaymentProvider) => Partial<PaymentProvider> = () => ({})) {
  const { log, ...rules } = deskOf(shop)
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = bank.settings
  const provider = razorpay({ keyId, keySecret, apiUrl: bank.settings.RAZORPAY_API_URL, log })
  return { ...rules, log, provider: { ...provider, ...broken(provider) } }
}

/** Somebody has paid for what is gone meanwhile; nobody has told the shop yet. */
async function paidTooLate() {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  await letHoldsExpire()
  await shop.db.updateTable('products').set({ quantity: 0 }).where('id', '=', product.id).execute()
  messenger.goes({ lost: 1 })
  const proof = bank.pay(body.id)
  messenger.goes({})
  return { buyer, proof, id: proof.razorpay_payment_id }
}

/** And now the shop knows, and the provider has taken the refund on. */
async function refundUnderWay() {
  const paid = await paidTooLate()
  expect((await verify(paid.buyer, paid.proof)).status).toBe(409)
  const [refund] = books.refundsOf(paid.id)
  if (!refund) throw new Error('The provider was not asked for a refund.')
  return { ...paid, refund }
}

const moneyOf = async (id: string) => {
  const { rows } = await sql<{ state: string; tries: number; pause: number | null }>`
    select state, refund_tries as tries,
      round(extract(epoch from next_refund_at - now()))::integer as pause
    from provider_payments where id = ${id}`.execute(shop.db)
  return rows[0]
}

const itIsTime = (id: string) =>
  shop.db
    .updateTable('provider_payments')
    .set({ next_refund_at: new Date(0) })
    .where('id', '=', id)
    .where('next_refund_at', 'is not', null)
    .execute()

const listed = async (id: string, state: string) => {
  const path = `/payment/payments?state=${state}`
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.find(({ _id }) => _id === id)
}

const told = async ({ buyer, proof }: Awaited<ReturnType<typeof paidTooLate>>) =>
  (await verify(buyer, proof)).body.message

describe('a refund that the provider has taken on', () => {
  it('is under way, and done only when the provider reports so', async () => {
    const paid = await refundUnderWay()
    expect(await moneyOf(paid.id)).toEqual({ state: 'refunding', tries: 0, pause: 60 })
    expect(await told(paid)).toMatch(/Your money is on its way back to you\.$/)
    expect(await listed(paid.id, 'refunding')).toMatchObject({
      state: 'refunding',
      lastError: null,
    })
    bank.finish(paid.refund, 'processed')
    await messenger.whenDone()
    expect(await moneyOf(paid.id)).toEqual({ state: 'refunded', tries: 0, pause: null })
    expect(await told(paid)).toMatch(/Your money went back to you\.$/)
    expect(await listed(paid.id, 'refunded')).toMatchObject({ state: 'refunded' })
  })

  it('is asked about with growing pauses, so that a lost report is no harm', async () => {
    const { id, refund } = await refundUnderWay()
    for (const pause of [120, 240, 480]) {
      await itIsTime(id)
      await Promise.all([retryRefunds(shop.db, desk()), retryRefunds(shop.db, desk())])
      expect(await moneyOf(id)).toEqual({ state: 'refunding', tries: 0, pause })
    }
    messenger.goes({ lost: 1 })
    bank.finish(refund, 'processed')
    await itIsTime(id)
    await retryRefunds(shop.db, desk())
    expect(await moneyOf(id)).toEqual({ state: 'refunded', tries: 0, pause: null })
    expect(books.refundsOf(id)).toHaveLength(1)
  })

  it('is asked about later when the provider does not answer', async () => {
    const { id } = await refundUnderWay()
    await itIsTime(id)
    const silent = desk(() => ({ givenBack: () => Promise.reject(new Error('no answer')) }))
    await retryRefunds(shop.db, silent)
    expect(await moneyOf(id)).toEqual({ state: 'refunding', tries: 0, pause: 120 })
  })
})

describe('a refund that fails after it was taken on', () => {
  const again = async (id: string) => {
    await itIsTime(id)
    await retryRefunds(shop.db, desk())
  }

  it('is due again, which the admin sees, and is tried with growing pauses', async () => {
    const { id, refund } = await refundUnderWay()
    bank.finish(refund, 'failed')
    await messenger.whenDone()
    expect(await moneyOf(id)).toEqual({ state: 'refund_due', tries: 1, pause: 60 })
    const lastError = expect.stringContaining('failed')
    expect(await listed(id, 'refund_due')).toMatchObject({ tries: 1, lastError })
    await again(id)
    expect(await moneyOf(id)).toMatchObject({ state: 'refunding', tries: 1 })
    const [second] = books.refundsOf(id)
    if (second) bank.finish(second, 'failed')
    await messenger.whenDone()
    expect(await moneyOf(id)).toEqual({ state: 'refund_due', tries: 2, pause: 120 })
    refunding.afterMs = 0
    await again(id)
    expect(await moneyOf(id)).toEqual({ state: 'refunded', tries: 2, pause: null })
    expect(books.payments.get(id)?.refunded).toBe(true)
  })

  it('is due again also when nobody has reported it', async () => {
    const { id, refund } = await refundUnderWay()
    messenger.goes({ lost: 1 })
    bank.finish(refund, 'failed')
    await again(id)
    expect(await moneyOf(id)).toEqual({ state: 'refund_due', tries: 1, pause: 60 })
  })

  it('is not forgotten when it is reported while the shop waits for the answer', async () => {
    const { buyer, proof, id } = await paidTooLate()
    const slow = desk((provider) => ({
      async refund(...asked) {
        const answer = await provider.refund(...asked)
        for (const refund of books.refundsOf(id)) bank.finish(refund, 'failed')
        await messenger.whenDone()
        return answer
      },
    }))
    await verifyPayment(shop.db, slow, { buyerId: buyer.id, proof }).catch(() => {})
    expect(await moneyOf(id)).toEqual({ state: 'refund_due', tries: 1, pause: 60 })
  })

  it('counts once, however often and late it is reported', async () => {
    const { id, refund } = await refundUnderWay()
    messenger.goes({ doubled: 1 })
    bank.finish(refund, 'failed')
    await messenger.whenDone()
    expect(await moneyOf(id)).toMatchObject({ state: 'refund_due', tries: 1 })
    await again(id)
    const payment = books.payments.get(id)
    if (payment) messenger.report('refund.failed', payment, refund)
    await messenger.whenDone()
    expect(await moneyOf(id)).toMatchObject({ state: 'refunding', tries: 1 })
  })
})

describe('a refund of money with a fee of the provider on top', () => {
  /** Paid too late as well; the report is not out yet. */
  async function paidWithFee() {
    const buyer = await addPerson(shop.db)
    const product = await addProduct(shop.db, { category })
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    await letHoldsExpire()
    const gone = { quantity: 0 }
    await shop.db.updateTable('products').set(gone).where('id', '=', product.id).execute()
    const { proof, payment } = books.authorise(body.id, 30)
    books.capture(payment.id)
    const report = async () => {
      messenger.report('payment.captured', payment)
      await messenger.whenDone()
    }
    return { buyer, proof, id: payment.id, report }
  }

  const wentBack = async (id: string) => {
    expect(books.givenBack(id)).toBe(1280)
    expect(await listed(id, 'refunded')).toMatchObject({ amount: 12.8, givenBack: 12.8 })
  }

  it.each([0, 'never'] as const)(
    'is of all that came in, whoever tells first (%s)',
    async (afterMs) => {
      refunding.afterMs = afterMs
      const [browser, hook] = [await paidWithFee(), await paidWithFee()]
      expect((await verify(browser.buyer, browser.proof)).status).toBe(409)
      await browser.report()
      await hook.report()
      expect((await verify(hook.buyer, hook.proof)).status).toBe(409)
      for (const { id } of [browser, hook]) {
        for (const refund of books.refundsOf(id)) bank.finish(refund, 'processed')
        await messenger.whenDone()
        await wentBack(id)
      }
    },
  )

  it('is of all that came in when that is told while the shop waits for the answer', async () => {
    const { buyer, proof, id, report } = await paidWithFee()
    refunding.afterMs = 0
    const slow = desk((provider) => ({
      refund: (...asked) => provider.refund(...asked).finally(report),
    }))
    await verifyPayment(shop.db, slow, { buyerId: buyer.id, proof }).catch(() => {})
    await wentBack(id)
  })
})

describe('a refund that fails at once', () => {
  it('counts once a try, although it is answered and reported', async () => {
    Object.assign(refunding, { failing: 1, afterMs: 0 })
    const { buyer, proof, id } = await paidTooLate()
    await verify(buyer, proof)
    await messenger.whenDone()
    expect(await moneyOf(id)).toEqual({ state: 'refund_due', tries: 1, pause: 60 })
    await itIsTime(id)
    await retryRefunds(shop.db, desk())
    await messenger.whenDone()
    expect(books.refundsOf(id)).toHaveLength(2)
    expect(await moneyOf(id)).toEqual({ state: 'refund_due', tries: 2, pause: 120 })
  })
})

describe('a refund whose answer was lost', () => {
  it('is not asked for twice', async () => {
    const { buyer, proof, id } = await paidTooLate()
    const cut = desk((provider) => ({
      refund: (...asked) => provider.refund(...asked).then(() => Promise.reject(new Error('cut'))),
    }))
    await verifyPayment(shop.db, cut, { buyerId: buyer.id, proof }).catch(() => {})
    expect(await moneyOf(id)).toMatchObject({ state: 'refund_due', tries: 1 })
    await itIsTime(id)
    await retryRefunds(shop.db, desk())
    expect(await moneyOf(id)).toMatchObject({ state: 'refunding', tries: 1 })
    expect(books.refundsOf(id)).toHaveLength(1)
  })

  it('gives back the rest of what the merchant gave back in part', async () => {
    const { buyer, proof, id } = await paidTooLate()
    bank.giveBack(id, 500)
    await messenger.whenDone()
    refunding.afterMs = 0
    expect((await verify(buyer, proof)).status).toBe(409)
    expect(books.refundsOf(id).map(({ amount }) => amount)).toEqual([750, 500])
    expect(await moneyOf(id)).toMatchObject({ state: 'refunded' })
  })
})
