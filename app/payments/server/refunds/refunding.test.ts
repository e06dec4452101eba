import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { razorpayShop } from '#tests/support/payment-shop.ts'
import { reconcile } from '../reconciliation/reconciliation.ts'
import { processRefunds } from './refund-job.ts'

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
/**
 * A payment for a product that is sold out meanwhile, whose webhook was lost. Its money was captured all the same,
 * in the dashboard.
 */
async function paidTooLate(facts = {}) {
  const { buyer, id } = await startedTooLate()
  webhooks.setDelivery({ lost: 1 })
  const proof = bank.pay(id, facts)
  account.capture(proof.razorpay_payment_id)
  webhooks.setDelivery({})
  return { buyer, proof, id: proof.razorpay_payment_id }
}

/** The browser reports the payment, and a poll finds that it was captured: its refund is due. */
async function poll({ buyer, proof, id }: Awaited<ReturnType<typeof paidTooLate>>) {
  expect((await verify(buyer, proof)).status).toBe(409)
  await makeDue(id)
  await reconcile(shop.db, context())
}

/** A refund that is accepted. */
async function refundAccepted() {
  const paid = await paidTooLate()
  await poll(paid)
  await processRefunds(shop.db, context())
  const [refund] = account.refundsOf(paid.id)
  if (!refund) throw new Error('The provider was not asked for a refund.')
  return { ...paid, refund }
}

/** The pause is one of half minutes: the time since it was stored is subtracted from it. */
const moneyOf = async (id: string) => {
  const { rows } = await sql<{ state: string; tries: number; pause: number | null }>`
    select case when refund_accepted then 'refunding' else state::text end as state, attempts as tries,
      30 * ceil(extract(epoch from next_attempt_at - now()) / 30)::integer as pause
    from payments where provider_payment_id = ${id}`.execute(shop.db)
  return rows[0]
}

/** A refunded payment is polled on, for another payment of its order. */
const REFUNDED = { state: 'refunded', tries: 0, pause: 6 * 3600 }

const told = async ({ buyer, proof }: Awaited<ReturnType<typeof paidTooLate>>) =>
  (await verify(buyer, proof)).body.message

describe('a refund that the provider has accepted', () => {
  it('is in progress until the provider reports that it is processed', async () => {
    const paid = await refundAccepted()
    expect(await moneyOf(paid.id)).toEqual({ state: 'refunding', tries: 0, pause: 60 })
    expect(await told(paid)).toMatch(/Your refund is on its way\.$/)
    expect(await listed(paid.id, '?state=refunding')).toMatchObject([
      { state: 'refunding', lastError: null },
    ])
    bank.endRefund(paid.refund, 'processed')
    await webhooks.whenDone()
    expect(await moneyOf(paid.id)).toEqual(REFUNDED)
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
      expect(await moneyOf(id)).toEqual({ state: 'refunding', tries, pause })
    }
    webhooks.setDelivery({ lost: 1 })
    bank.endRefund(refund, 'processed')
    await makeDue(id)
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toEqual(REFUNDED)
    expect(account.refundsOf(id)).toHaveLength(1)
  })

  it('is polled later when the provider does not answer', async () => {
    const { id } = await refundAccepted()
    await makeDue(id)
    const silent = context(() => ({ refunds: () => Promise.reject(new Error('no answer')) }))
    await processRefunds(shop.db, silent)
    expect(await moneyOf(id)).toEqual({ state: 'refunding', tries: 1, pause: 60 })
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
    expect(await moneyOf(id)).toEqual({ state: 'refund_pending', tries: 1, pause: 60 })
    const lastError = expect.stringContaining('failed')
    expect(await listed(id, '?state=refund_refused')).toMatchObject([{ attempts: 1, lastError }])
    await again(id)
    expect(await moneyOf(id)).toMatchObject({ state: 'refunding', tries: 1 })
    const [second] = account.refundsOf(id)
    if (second) bank.endRefund(second, 'failed')
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toEqual({ state: 'refund_pending', tries: 2, pause: 120 })
    refunding.staysPending = false
    await again(id)
    expect(await moneyOf(id)).toEqual(REFUNDED)
    expect(account.refundedOf(id)).toBe(1250)
  })

  it('is due again also when its webhook is lost', async () => {
    const { id, refund } = await refundAccepted()
    webhooks.setDelivery({ lost: 1 })
    bank.endRefund(refund, 'failed')
    await again(id)
    expect(await moneyOf(id)).toEqual({ state: 'refund_pending', tries: 1, pause: 60 })
  })

  it('is not forgotten when it is reported while the shop waits for the answer', async () => {
    const paid = await paidTooLate()
    const { id } = paid
    const slow = context((provider) => ({
      async refund(...asked) {
        const answer = await provider.refund(...asked)
        for (const refund of account.refundsOf(id)) bank.endRefund(refund, 'failed')
        await webhooks.whenDone()
        return answer
      },
    }))
    await poll(paid)
    await processRefunds(shop.db, slow)
    await again(id)
    expect(await moneyOf(id)).toMatchObject({ state: 'refund_pending', tries: 1 })
  })

  it('counts once, however often and late it is reported', async () => {
    const { id, refund } = await refundAccepted()
    webhooks.setDelivery({ doubled: 1 })
    bank.endRefund(refund, 'failed')
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toMatchObject({ state: 'refund_pending', tries: 1 })
    await again(id)
    webhooks.report('refund.failed', { payment: account.paymentWith(id), refund })
    await webhooks.whenDone()
    await processRefunds(shop.db, context())
    expect(await moneyOf(id)).toMatchObject({ state: 'refunding' })
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
      await processRefunds(shop.db, context())
      for (const { id } of [browser, hook]) {
        for (const refund of account.refundsOf(id)) bank.endRefund(refund, 'processed')
        await webhooks.whenDone()
        await expectRefunded(id)
      }
    },
  )

  it('is of all that came in when that is told while the shop waits for the answer', async () => {
    const { report, ...paid } = await paidWithFee()
    refunding.staysPending = false
    await poll(paid)
    const slow = context((provider) => ({
      refund: (...asked) => provider.refund(...asked).finally(report),
    }))
    await processRefunds(shop.db, slow)
    await expectRefunded(paid.id)
  })
})

describe('a refund that fails at once', () => {
  it('counts once a try, although it is answered and reported', async () => {
    Object.assign(refunding, { failing: 1, staysPending: false })
    const paid = await paidTooLate()
    const { id } = paid
    await poll(paid)
    await processRefunds(shop.db, context())
    await webhooks.whenDone()
    expect(await moneyOf(id)).toEqual({ state: 'refund_pending', tries: 1, pause: 60 })
    await makeDue(id)
    await processRefunds(shop.db, context())
    await webhooks.whenDone()
    expect(account.refundsOf(id)).toHaveLength(2)
    expect(await moneyOf(id)).toEqual({ state: 'refund_pending', tries: 2, pause: 120 })
  })
})

describe('a refund whose answer was lost', () => {
  it('refunds the rest of a refund in part', async () => {
    const paid = await paidTooLate()
    const { id } = paid
    bank.refundElsewhere(id, 500)
    await webhooks.whenDone()
    refunding.staysPending = false
    await poll(paid)
    await processRefunds(shop.db, context())
    expect(account.refundsOf(id).map(({ amount }) => amount)).toEqual([750, 500])
    expect(await moneyOf(id)).toMatchObject({ state: 'refunded' })
  })
})
