import { beforeEach, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { processRefunds, refuseUnmatched } from '#app/payments/server/refunds/refunds.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { razorpayShop } from '../support/payment-shop.ts'
import { moneyOf } from '../support/payments.ts'
import { paymentOf, provider, report } from '../support/webhook.ts'

const {
  shop,
  verify,
  ordersOf,
  started,
  listed,
  statesOf,
  inNeed,
  refund,
  setStatus,
  makeDue,
  endPolls,
  razorpay,
  log,
  context,
} = await razorpayShop({ hasWebhooks: false })
const { account } = razorpay
account.rules.takesSecondPayments = true
const { tell } = provider(shop)

beforeEach(async () => {
  account.rules.canCapture = true
  log.error.mockReset()
  await endPolls()
})

/** Makes every poll due, and polls. */
async function ask(by = context()) {
  await makeDue()
  await reconcile(shop.db, by)
}

const nextAskOf = async (id: string) =>
  (
    await shop.db
      .selectFrom('payments')
      .where('provider_order_id', '=', id)
      .select('next_attempt_at')
      .executeTakeFirstOrThrow()
  ).next_attempt_at

const statusOf = (id: string) => account.paymentsOf(id).map(({ status }) => status)

describe('a payment that the bank has only promised', () => {
  /** Its order is created anyway, because the proof is signed. */
  async function promised() {
    const { buyer, product, id } = await started()
    const proof = razorpay.pay(id)
    const { body } = await verify(buyer, proof)
    return { buyer, product, id, paymentId: proof.razorpay_payment_id, order: body.order }
  }

  it('is captured by the shop as soon as it can be, and the admin sees it until then', async () => {
    const { buyer, id } = await promised()
    expect(await ordersOf(buyer)).toHaveLength(1)
    account.rules.canCapture = false
    await ask()
    expect(await statesOf(id)).toEqual(['capture_pending'])
    await ask()
    expect(statusOf(id)).toEqual(['authorized'])
    account.rules.canCapture = true
    await ask()
    expect(statusOf(id)).toEqual(['captured'])
    expect(await listed(id)).toEqual([])
    expect(await moneyOf(shop, id)).toMatchObject([
      { state: 'paid', issue: null, confirmed_at: expect.any(Date) },
    ])
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('is confirmed when the provider reports that it has captured it late', async () => {
    const { id, paymentId } = await promised()
    account.capture(paymentId)
    await tell(report('payment.captured', paymentOf(id, paymentId)))
    expect(await moneyOf(shop, id)).toMatchObject([{ confirmed_at: expect.any(Date) }])
  })

  it('is in a state of its own when it never comes in, until its order is cancelled', async () => {
    const { id, paymentId, order } = await promised()
    const before = await inNeed()
    account.paymentWith(paymentId).status = 'failed'
    await ask()
    await ask()
    expect(await statesOf(id)).toEqual(['expired'])
    expect(await inNeed()).toBe(before + 1)
    expect(log.error.mock.calls).toEqual([
      [expect.anything(), 'the money of an order was never captured'],
    ])
    expect(await nextAskOf(id)).not.toBeNull()
    await setStatus(order, 'cancel')
    expect([await statesOf(id), await inNeed()]).toEqual([[], before])
  })
})

describe('a settled payment', () => {
  it('is looked at twice more, for a second payment that nobody reported', async () => {
    const { buyer, id } = await started()
    await verify(buyer, razorpay.pay(id))
    await ask()
    for (const refunds of [1, 2]) {
      const second = razorpay.pay(id)
      account.capture(second.razorpay_payment_id)
      await ask()
      await processRefunds(shop.db, context())
      const money = await moneyOf(shop, id)
      expect(money.filter(({ state }) => state !== 'paid')).toHaveLength(refunds)
      expect(account.refundedOf(second.razorpay_payment_id)).toBe(1250)
      // captured money restarts the polling; a poll without news reduces it
    }
    const hoursToNext = async () => {
      const at = await nextAskOf(id)
      return at && Math.round((at.getTime() - Date.now()) / 3_600_000)
    }
    expect(await hoursToNext()).toBe(6)
    await ask()
    expect(await hoursToNext()).toBe(72)
    await ask()
    expect(await hoursToNext()).toBeNull()
    expect(await ordersOf(buyer)).toHaveLength(1)
  })
})

describe('an order that the provider will not tell of', () => {
  it('is noted, and the others are asked about', async () => {
    const foreign = await started()
    const paid = await started()
    account.remove(foreign.id)
    razorpay.pay(paid.id)
    await ask()
    expect(await ordersOf(paid.buyer)).toHaveLength(1)
    const why = 'The id provided does not exist'
    expect(await listed(foreign.id, '?state=started')).toMatchObject([
      { state: 'started', attempts: 1, lastError: why },
    ])
    await shop.db
      .updateTable('payments')
      .set({ public_key: 'rzp_live_former' })
      .where('provider_order_id', '=', foreign.id)
      .execute()
    await ask()
    const lastError = `${why} It was started with the key rzp_live_former.`
    expect(await listed(foreign.id, '?state=started')).toMatchObject([{ attempts: 2, lastError }])
  })
})

it('a provider that does not answer is asked for one of the due refunds only', async () => {
  const orders: Order[] = []
  while (orders.length < 3) {
    const { buyer, id } = await started()
    orders.push((await verify(buyer, razorpay.pay(id))).body.order)
  }
  await ask()
  razorpay.network.failing.kind = 'error'
  for (const order of orders) await refund(order)
  const askedFor = async () => {
    const due = { next_attempt_at: new Date(0) }
    await shop.db.updateTable('refunds').set(due).where('state', '=', 'pending').execute()
    const before = razorpay.requests.length
    await processRefunds(shop.db, context())
    return new Set(razorpay.requests.slice(before).map(({ id }) => id)).size
  }
  expect(await askedFor()).toBe(1)
  razorpay.network.failing.kind = null
  expect(await askedFor()).toBe(3)
})

describe('the amount of a payment', () => {
  const FEE = 30
  const pay = (id: string, fee: number) => {
    const proof = razorpay.pay(id, { fee })
    account.capture(proof.razorpay_payment_id)
    return { proof, payment: account.paymentWith(proof.razorpay_payment_id) }
  }

  it.each(['the browser', 'the provider'])(
    "is judged by the provider's order, when %s is first",
    async (first) => {
      const { buyer, id } = await started()
      const { payment, proof } = pay(id, FEE)
      const reported = paymentOf(id, payment.id, { amount: payment.amount })
      const tellIt = () => tell(report('payment.captured', reported))
      if (first === 'the provider') await tellIt()
      expect((await verify(buyer, proof)).status).toBe(200)
      await tellIt()
      await ask()
      const amount_minor = 1250 + FEE
      expect(await moneyOf(shop, id)).toMatchObject([{ state: 'paid', issue: null, amount_minor }])
      expect(await listed(id)).toEqual([])
    },
  )

  it('is judged by a poll when the provider reports it, and does not answer meanwhile', async () => {
    const { buyer, id } = await started()
    const { payment } = pay(id, FEE)
    const reported = report('payment.captured', paymentOf(id, payment.id, { amount: 1280 }))
    const event = { 'x-razorpay-event-id': 'event_1' }
    razorpay.network.failing.kind = 'error'
    const requests = razorpay.requests.length
    expect((await tell(reported, event))[0]).toBe(200)
    expect(razorpay.requests).toHaveLength(requests)
    expect(await ordersOf(buyer)).toEqual([])
    await ask()
    expect(await ordersOf(buyer)).toEqual([])
    razorpay.network.failing.kind = null
    await ask()
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('is a contradiction for the admin when it is another after the order was made', async () => {
    const { buyer, id } = await started()
    const proof = razorpay.authorise(id)
    const paid = proof.razorpay_payment_id
    expect((await verify(buyer, proof)).status).toBe(200)
    const before = await inNeed()
    Object.assign(account.paymentWith(paid), { status: 'captured', captured: true, amount: 99 })
    await tell(report('payment.captured', paymentOf(id, paid, { amount: 99 })))
    await reconcile(shop.db, context())
    expect(await listed(id)).toMatchObject([{ state: 'amount_mismatch', amount: 0.99 }])
    expect(await inNeed()).toBe(before + 1)
  })

  it('is in sight although the provider does not tell of its order when it is reported', async () => {
    const { buyer, id } = await started()
    const { payment } = pay(id, FEE)
    const lookUp = async () => {
      throw notFound('The order is being moved')
    }
    const silent = context(() => ({ lookUp }))
    const before = await inNeed()
    await tell(report('payment.captured', paymentOf(id, payment.id, { amount: 1280 })))
    await ask(silent)
    await refuseUnmatched(shop.db, { ...context(), reservationMinutes: 0 })
    const lastError = 'The order is being moved'
    expect(await listed(id)).toMatchObject([{ state: 'unmatched', amount: 12.8, lastError }])
    expect(await inNeed()).toBe(before + 1)
    await ask()
    expect(await ordersOf(buyer)).toHaveLength(1)
    expect(await listed(id)).toEqual([])
  })
})
