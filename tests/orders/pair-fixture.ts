/** The shop of a pair of transactions, and the requests that it may consist of. */
import { sql } from 'kysely'
import { closeAccountByEmail } from '#app/accounts/server/close-account.ts'
import { resetByLink } from '#app/accounts/server/reset-link.ts'
import { personalData } from '#app/modules.ts'
import type { OrderStatus } from '#app/orders/contract.ts'
import { changeStatus } from '#app/orders/server/handling/service.ts'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import { refundOrder } from '#app/payments/server/admin/refund-order.ts'
import { openProviders, providersOf } from '#app/payments/server/context.ts'
import { receivePayment } from '#app/payments/server/owed/owed.ts'
import { bankTransfer } from '#app/payments/server/providers/bank-transfer.ts'
import { processRefunds } from '#app/payments/server/refunds/refunds.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import { cancelPayment, startPayment } from '#app/payments/server/service.ts'
import { verifyPayment } from '#app/payments/server/verification.ts'
import { processWebhook } from '#app/payments/server/webhook/webhook.ts'
import { changeProduct, removeProduct } from '#app/products/server/editing.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Database } from '#db/schema.ts'
import type { Payment as Money } from '../support/razorpay/entities.ts'
import type { WebhookEvent } from '../support/razorpay/webhooks.ts'
import { ADDRESS } from '../support/shipping.ts'
import { signatureOf } from '../support/webhook.ts'
import { openProvider } from './provider.ts'
import { COUPON, DISCOUNT, PRICE, PRODUCT, type StoryDatabase } from './story-database.ts'

/** The code of a second coupon, of the same discount. */
export const OTHER_COUPON = 'OTHER'

export type Work = (db: Database) => Promise<unknown>

export type Fixture = Awaited<ReturnType<typeof openFixture>>

/** A shop on `database`, and the requests of its buyers and its admin. */
export async function openFixture(database: StoryDatabase) {
  const { db, buyers } = database
  const [first, second] = buyers.map(({ id }) => id) as [string, string]
  const actor = admin({ userId: database.admin.id })
  const events: WebhookEvent[] = []
  const provider = openProvider((event) => events.push(event))
  const { proofOf } = provider
  const opened = await provider.providerOf(
    async () => {},
    () => 'none',
  )
  const log = { debug() {}, warn() {}, error() {} }
  const byHand = await openProviders(db, {}, { log, isDemo: false }, [bankTransfer])
  const context = {
    providers: providersOf([opened, ...byHand]),
    log,
    providerCurrency: null,
    reservationMinutes: 15,
    retrySeconds: 60,
  }

  const cart = [{ _id: PRODUCT }]
  const start = (userId: string) => (tx: Database) =>
    startPayment(tx, context, { userId, amount: PRICE * 100, cart, delivery: ADDRESS })
  const startWithCoupon =
    (userId: string, code = COUPON) =>
    (tx: Database) => {
      const amount = PRICE * 100 - DISCOUNT
      return startPayment(tx, context, { userId, amount, cart, couponCodes: [code] })
    }
  const verify = (money: Money) => (tx: Database) =>
    verifyPayment(tx, context, { buyerId: first, proof: proofOf(money) })
  const cancel = (providerOrderId: string) => (tx: Database) =>
    cancelPayment(tx, context, { userId: first, providerOrderId })
  const expire: Work = (tx) => releaseExpired(tx)
  const runRefunds: Work = (tx) => processRefunds(tx, context)
  const deletion: Work = (tx) => removeProduct(tx, actor, PRODUCT)
  const editPrice: Work = (tx) =>
    changeProduct(tx, actor, { id: PRODUCT, changes: { price: PRICE + 1 }, seen: {} })
  const refundHalf =
    (orderId: string, returnsStock = false) =>
    (tx: Database) => {
      const refund = { orderId, amountMinor: PRICE * 50, reason: 'As asked.', returnsStock }
      return refundOrder(tx, context, actor, refund)
    }
  const setStatus = (status: OrderStatus) => (orderId: string) => (tx: Database) =>
    changeStatus(tx, actor, { orderId, status })
  const ship = setStatus('Shipped')
  const cancelOrder = setStatus('cancel')
  const orderUnpaid = (userId: string) => (tx: Database) =>
    startPayment(tx, context, {
      userId,
      amount: PRICE * 100,
      cart,
      delivery: ADDRESS,
      paymentMethod: 'bank_transfer',
    })
  /** Enters money of an unpaid order. */
  const receive =
    (amountMinor: number) =>
    (orderId: string, key = PRODUCT) =>
    (tx: Database) => {
      const day = new Date().toISOString().slice(0, 10)
      return receivePayment(tx, actor, { orderId, amountMinor, day, key })
    }
  const receiveHalf = receive(PRICE * 50)
  const receiveAll = receive(PRICE * 100)
  const invoicing: Work = (tx) => issueInvoices(tx)
  const resetBy = (token: string) => (tx: Database) =>
    resetByLink(tx, { token, newPassword: 'another-horse', address: '203.0.113.7' })
  const closing: Work = (tx) =>
    closeAccountByEmail(tx, personalData, { email: `${first}@example.com`, withOpenOrders: true })
  const webhook = () => {
    const text = events.at(-1)?.text ?? ''
    const headers = {
      'x-razorpay-signature': signatureOf(text),
      'x-razorpay-event-id': 'event',
    }
    const delivery = { raw: Buffer.from(text), headers }
    return (tx: Database) => processWebhook(tx, context, opened.name, delivery)
  }

  /** The first buyer has started a payment, and perhaps paid it. */
  const started = async () => (await start(first)(db)).id
  const paid = async () => provider.pay(await started())
  /** The first buyer has an unpaid order. */
  const unpaid = async () => (await orderUnpaid(first)(db)).order?._id ?? ''
  const letExpire = () => sql`update payments set reserved_until = now()`.execute(db)

  /** Money of the first buyer for this quantity with the coupon, whose reservation has ended. */
  async function latePaid(quantity: number, code = COUPON) {
    const amount = quantity * PRICE * 100 - DISCOUNT
    const cart = Array.from({ length: quantity }, () => ({ _id: PRODUCT }))
    const choices = { userId: first, amount, cart, couponCodes: [code] }
    const money = provider.pay((await startPayment(db, context, choices)).id)
    await letExpire()
    await releaseExpired(db)
    return money
  }

  /** Makes the coupon one for a first order, and a second one. */
  async function addFirstOrderCoupons() {
    await sql`update coupons set audience = 'first_order'`.execute(db)
    await sql`insert into coupons (id, code, amount_minor, audience)
      values (gen_random_uuid(), ${OTHER_COUPON}, ${DISCOUNT}, 'first_order')`.execute(db)
  }

  /** Money of the first buyer that bought nothing, was captured all the same, and whose refund is due. */
  async function dueRefund() {
    const id = await started()
    await cancel(id)(db)
    provider.pay(id, { isCaptured: true })
    await webhook()(db)
    await sql`update refunds set next_attempt_at = now() where state = 'pending'`.execute(db)
  }

  const requests = {
    start,
    startWithCoupon,
    verify,
    cancel,
    expire,
    runRefunds,
    deletion,
    editPrice,
    refundHalf,
    ship,
    cancelOrder,
    orderUnpaid,
    receiveHalf,
    receiveAll,
    invoicing,
    resetBy,
    closing,
  }
  const arrangements = {
    started,
    paid,
    unpaid,
    latePaid,
    letExpire,
    dueRefund,
    addFirstOrderCoupons,
  }
  return { db, first, second, provider, webhook, ...requests, ...arrangements }
}
