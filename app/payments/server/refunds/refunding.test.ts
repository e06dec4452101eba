import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { razorpayShop } from '#tests/support/payment-shop.ts'
import { payAndVerify } from '#tests/support/payments.ts'
import { processRefunds } from './refunds.ts'

const {
  shop,
  verify,
  startedTooLate,
  listed,
  makeDue,
  context,
  razorpay: bank,
} = await razorpayShop({
  hasWebhooks: true,
})
const { webhooks, account, refunding } = bank

beforeEach(() => {
  webhooks.setDelivery({})
  Object.assign(refunding, { failing: 0, staysPending: true })
})
/** A payment for a product that is sold out meanwhile, whose webhook was lost. */
async function paidTooLate(facts = {}) {
  const { buyer, id } = await startedTooLate()
  webhooks.setDelivery({ lost: 1 })
  const proof = bank.pay(id, facts)
  // in the dashboard, whatever the shop wants
  account.capture(proof.razorpay_payment_id)
  webhooks.setDelivery({})
  return { buyer, proof, id: proof.razorpay_payment_id }
}

/** A refund that is accepted, after the browser has reported the payment. */
async function refundAccepted() {
  const paid = await paidTooLate()
  expect((await verify(paid.buyer, paid.proof)).status).toBe(409)
  const [refund] = account.refundsOf(paid.id)
  if (!refund) throw new Error('The provider was not asked for a refund.')
  return { ...paid, refund }
}

/** The pause is one of half minutes: the time since it was stored is subtracted from it. */
const moneyOf = async (id: string) => {
  const { rows } = await sql<{ state: string; tries: number; pause: number | null }>`
    select state, attempts as tries,
      30 * ceil(extract(epoch from next_attempt_at - now()) / 30)::integer as pause
    from refunds where capture_id = (select id from captures where provider_payment_id = ${id})
    order by id desc limit 1`.execute(shop.db)
  return rows[0]
}

const DONE = { state: 'done', pause: null }

const told = async ({ buyer, proof }: Awaited<ReturnType<typeof paidTooLate>>) =>
  (await verify(buyer, proof)).body.message

describe('a refund that the provider has accepted', () => {
  it('is in progress until the provider reports that it is processed', async () => {
    const paid = await refundAccepted()
    expect(await moneyOf(paid.id)).toEqual({ state: 'accepted', tries: 0, pause: 60 })
    expect(await told(paid)).toMatch(/Your refund is on its way\.$/)
    expect(await listed(paid.id, '?state=refunding')).toMatchObject([
      { state: 'refunding', lastError: null },
    ])
    bank.endRefund(paid.refund, 'processed')
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(paid.id)).toMatchObject(DONE)
    expect(await told(paid)).toMatch(/Your payment was refunded\.$/)
    expect(await listed(paid.id, '?state=refunded')).toMatchObject([{ state: 'refunded' }])
  })

  it('is polled with growing pauses, so that a lost webhook does no harm', async () => {
    const { id, refund } = await refundAccepted()
    for (const [tries, pause] of [
      [1, 60],
      [2, 120],
      [3, 240],
    ]) {
      await makeDue(id)
      await Promise.all([processRefunds(shop.db, context()), processRefunds(shop.db, context())])
      expect(await moneyOf(id)).toEqual({ state: 'accepted', tries, pause })
    }
    webhooks.setDelivery({ lost: 1 })
    bank.endRefund(refund, 'processed')
    await makeDue(id)
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toMatchObject(DONE)
    expect(account.refundsOf(id)).toHaveLength(1)
  })

  it('is polled later when the provider does not answer', async () => {
    const { id } = await refundAccepted()
    await makeDue(id)
    const silent = context(() => ({ refunds: () => Promise.reject(new Error('no answer')) }))
    await processRefunds(shop.db, silent)
    expect(await moneyOf(id)).toEqual({ state: 'accepted', tries: 1, pause: 60 })
  })
})

describe('a refund that fails after it was accepted', () => {
  const again = async (id: string) => {
    await makeDue(id)
    await processRefunds(shop.db, context())
  }

  it('is due again, which the admin sees, and is tried with growing pauses', async () => {
    const { id, refund } = await refundAccepted()
    bank.endRefund(refund, 'failed')
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toEqual({ state: 'failed', tries: 1, pause: 60 })
    const lastError = expect.stringContaining('failed')
    expect(await listed(id, '?state=refund_refused')).toMatchObject([{ attempts: 1, lastError }])
    await again(id)
    expect(await moneyOf(id)).toMatchObject({ state: 'accepted', tries: 1 })
    const [second] = account.refundsOf(id)
    if (second) bank.endRefund(second, 'failed')
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toEqual({ state: 'failed', tries: 2, pause: 120 })
    refunding.staysPending = false
    await again(id)
    expect(await moneyOf(id)).toMatchObject(DONE)
    expect(account.refundedOf(id)).toBe(1250)
  })

  it('is due again also when its webhook is lost', async () => {
    const { id, refund } = await refundAccepted()
    webhooks.setDelivery({ lost: 1 })
    bank.endRefund(refund, 'failed')
    await again(id)
    expect(await moneyOf(id)).toEqual({ state: 'failed', tries: 1, pause: 60 })
  })

  it('is not forgotten when it is reported while the shop waits for the answer', async () => {
    const { buyer, proof, id } = await paidTooLate()
    const slow = context((provider) => ({
      async refund(...asked) {
        const answer = await provider.refund(...asked)
        for (const refund of account.refundsOf(id)) bank.endRefund(refund, 'failed')
        await webhooks.whenDone()
        return answer
      },
    }))
    await payAndVerify(shop.db, slow, { buyerId: buyer.id, proof }).catch(() => {})
    await again(id)
    expect(await moneyOf(id)).toMatchObject({ state: 'failed', tries: 1 })
  })

  it('counts once, however often and late it is reported', async () => {
    const { id, refund } = await refundAccepted()
    webhooks.setDelivery({ doubled: 1 })
    bank.endRefund(refund, 'failed')
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toMatchObject({ state: 'failed', tries: 1 })
    await again(id)
    webhooks.report('refund.failed', { payment: account.paymentWith(id), refund })
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toMatchObject({ state: 'accepted' })
    expect(account.refundsOf(id)).toHaveLength(2)
  })
})

describe('a refund of money with a fee of the provider on top', () => {
  /** Paid too late as well; its webhook is not sent yet. */
  async function paidWithFee() {
    const { buyer, proof, id } = await paidTooLate({ fee: 30 })
    const payment = account.paymentWith(id)
    const report = async () => {
      webhooks.report('payment.captured', { payment })
      await webhooks.whenDone()
    }
    return { buyer, proof, id, report }
  }

  const expectRefunded = async (id: string) => {
    expect(account.refundedOf(id)).toBe(1280)
    expect(await listed(id, '?state=refunded')).toMatchObject([{ amount: 12.8, refunded: 12.8 }])
  }

  it.each([true, false])(
    'is of the captured amount, whoever reports first (pending: %s)',
    async (staysPending) => {
      refunding.staysPending = staysPending
      const browser = await paidWithFee()
      const hook = await paidWithFee()
      expect((await verify(browser.buyer, browser.proof)).status).toBe(409)
      await browser.report()
      await hook.report()
      expect((await verify(hook.buyer, hook.proof)).status).toBe(409)
      for (const { id } of [browser, hook]) {
        for (const refund of account.refundsOf(id)) bank.endRefund(refund, 'processed')
        await webhooks.whenDone()
        await processRefunds(shop.db, context())
        await expectRefunded(id)
      }
    },
  )

  it('is of all that came in when that is told while the shop waits for the answer', async () => {
    const { buyer, proof, id, report } = await paidWithFee()
    refunding.staysPending = false
    const slow = context((provider) => ({
      refund: (...asked) => provider.refund(...asked).finally(report),
    }))
    await payAndVerify(shop.db, slow, { buyerId: buyer.id, proof }).catch(() => {})
    await expectRefunded(id)
  })
})

describe('a refund that fails at once', () => {
  it('counts once a try, although it is answered and reported', async () => {
    Object.assign(refunding, { failing: 1, staysPending: false })
    const { buyer, proof, id } = await paidTooLate()
    await verify(buyer, proof)
    await webhooks.whenDone()
    expect(await moneyOf(id)).toEqual({ state: 'failed', tries: 1, pause: 60 })
    await makeDue(id)
    await processRefunds(shop.db, context())
    await webhooks.whenDone()
    expect(account.refundsOf(id)).toHaveLength(2)
    expect(await moneyOf(id)).toEqual({ state: 'failed', tries: 2, pause: 120 })
  })
})

describe('a refund whose answer was lost', () => {
  it('refunds the rest of a refund in part', async () => {
    const { buyer, proof, id } = await paidTooLate()
    bank.refundElsewhere(id, 500)
    await webhooks.whenDone()
    refunding.staysPending = false
    expect((await verify(buyer, proof)).status).toBe(409)
    expect(account.refundsOf(id).map(({ amount }) => amount)).toEqual([750, 500])
    expect(await moneyOf(id)).toMatchObject(DONE)
  })
})
