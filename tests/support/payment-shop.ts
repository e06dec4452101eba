import { sql } from 'kysely'
import { afterAll, beforeAll, vi } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import type { OpenProvider } from '#app/payments/server/context.ts'
import { addPerson, type Person } from './accounts.ts'
import { addCategory, addProduct, changeListed } from './catalogue.ts'
import { contextWith, runPaymentJobs } from './payment-context.ts'
import { cartOf, purchases } from './payments.ts'
import { startFakeRazorpay } from './razorpay/fake-razorpay.ts'
import { testShop } from './shop.ts'
import { HOOK_SECRET } from './webhook.ts'

type Cup = { id: string }

/** A shop that sells cups of 12.50, its purchases, and what its admin does with payments. */
export function paymentShop(settings: Record<string, string> = {}) {
  const shop = testShop(settings)
  const steps = purchases(shop)
  const world = {} as { admin: Person; category: { id: string } }
  beforeAll(async () => {
    world.admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
    world.category = await addCategory(shop.db, 'Kitchen')
  })
  const admin = () => world.admin
  const asAdmin = () => ({ token: admin().token })
  const cup = (facts = {}) => addProduct(shop.db, { category: world.category, ...facts })
  const change = (cup: Cup, facts: { quantity?: number; price_minor?: number }) =>
    changeListed(shop.db, cup, facts)

  /** A new buyer with a started payment for one cup. */
  async function started(facts = {}) {
    const buyer = await addPerson(shop.db)
    const product = await cup(facts)
    const { body } = await steps.start(buyer, { amount: 1250, cart: cartOf(product) })
    return { buyer, product, id: body.id }
  }

  /** A started payment whose reservation has expired, and whose product is sold out. */
  async function startedTooLate(facts = {}) {
    const payment = await started(facts)
    await steps.expireReservations()
    await change(payment.product, { quantity: 0 })
    return payment
  }

  /** What the admin's list has of a payment, or of an order of the provider. */
  async function listed(id: string, query = '?state=needs_attention') {
    const { body } = await shop.get<ListedPayment[]>(`/payment/payments${query}`, asAdmin())
    return body.filter(({ _id, payment }) => [_id, payment.razorpay_order_id].includes(id))
  }

  return {
    shop,
    ...steps,
    admin,
    asAdmin,
    cup,
    change,
    started,
    startedTooLate,
    listed,
    statesOf: async (id: string, query?: string) =>
      (await listed(id, query)).map(({ state }) => state),
    /** How many payments need attention, as the dashboard counts them. */
    inNeed: async () => (await shop.get<Figures>('/order/figures', asAdmin())).body.paymentsInNeed,
    refund: ({ _id }: { _id: string }, body: object = {}) =>
      shop.post<{ message: string }>(`/payment/refund/${_id}`, {
        ...asAdmin(),
        body: { reason: 'The cup was cracked.', ...body },
      }),
    setStatus: ({ _id }: { _id: string }, status: string) =>
      shop.put(`/auth/order-status/${_id}`, { ...asAdmin(), body: { status } }),
    resolve: (id: string, note: unknown = 'Looked into.') =>
      shop.put<{ message: string }>(`/payment/resolve/${id}`, { ...asAdmin(), body: { note } }),
    /** Makes the polls and refunds due: those of a payment or an order of the provider, or all. */
    makeDue: (id?: string) =>
      sql`
        with paid as (
          select payments.id, captures.id as capture_id
          from payments left join captures on payment_id = payments.id
          where provider_payment_id = ${id ?? null} or payments.provider_order_id = ${id ?? null}
            or ${id === undefined} and (payments.next_attempt_at is not null or captures.id is not null)
        ),
        polled as (
          update payments set next_attempt_at = 'epoch'
          where id in (select id from paid) and (${id !== undefined} or next_attempt_at is not null)
        )
        update refunds set next_attempt_at = 'epoch'
        where next_attempt_at is not null and capture_id in (select capture_id from paid)`.execute(
        shop.db,
      ),
    /** Leaves out the payments of other tests. */
    endPolls: () => shop.db.updateTable('payments').set({ next_attempt_at: null }).execute(),
  }
}

/**
 * A shop with payments at a fake Razorpay, and the context of its jobs. Its webhooks reach the shop, or are lost: then
 * tests send their own, with `HOOK_SECRET`.
 */
export async function razorpayShop({ hasWebhooks }: { hasWebhooks: boolean }) {
  let address = ''
  const razorpay = await startFakeRazorpay(() => address)
  if (!hasWebhooks) razorpay.webhooks.setDelivery({ lost: 1 })
  const world = paymentShop({
    ...razorpay.settings,
    ...(!hasWebhooks && { RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET }),
  })
  const { shop } = world
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const rules = { log, providerCurrency: null, reservationMinutes: 15, retrySeconds: 60 }
  const contextOf = (replaced: (provider: OpenProvider) => Partial<OpenProvider> = () => ({})) =>
    contextWith({ ...shop.provider, ...replaced(shop.provider) }, rules)
  beforeAll(async () => {
    if (hasWebhooks) address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => razorpay.close())
  return {
    ...world,
    razorpay,
    log,
    /** The context of the jobs, with some functions of the provider replaced. */
    context: contextOf,
    /** Makes every poll and refund due, and runs both jobs. */
    runJobs: async (by = contextOf()) => {
      await runPaymentJobs(shop.db, by)
      await razorpay.webhooks.whenDone()
    },
  }
}
