import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Order } from '#app/orders/contract.ts'
import type { PaymentProof } from '#app/payments/contract.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import { verifyPayment } from '#app/payments/server/verification.ts'
import type { FailureCode } from '#app/shared/contract/failure.ts'
import type { Database } from '#db/schema.ts'
import type { Person } from './accounts.ts'
import { listedOf } from './catalogue.ts'
import type { TestShop } from './shop.ts'

export const SECRET = 'test-secret'

/** Lets the sandbox have the money of a proof that it has signed. */
export async function payInSandbox(db: Database, proof: PaymentProof): Promise<void> {
  const { razorpay_order_id: order, razorpay_payment_id: id, razorpay_signature } = proof
  if (razorpay_signature !== signedPayment(order, id).razorpay_signature) return
  await sql`
    insert into provider_records (provider, key, value)
    select provider, provider_order_id, jsonb_build_object('payments', jsonb_build_array(${id}::text))
    from payments where provider_order_id = ${order} and provider = 'sandbox'
    on conflict (provider, key) do update
      set value = jsonb_build_object('payments', provider_records.value -> 'payments' || to_jsonb(${id}::text))
      where not provider_records.value -> 'payments' @> to_jsonb(${id}::text)`.execute(db)
}

/** Lets the buyer pay in the sandbox, and the shop verify it with a payment context. */
export async function payAndVerify(...[db, context, report]: Parameters<typeof verifyPayment>) {
  await payInSandbox(db, report.proof)
  return verifyPayment(db, context, report)
}

/** A signed payment, as by the sandbox. */
export function signedPayment(
  orderId: string,
  paymentId = `pay_${randomUUID()}`,
  secret = SECRET,
): PaymentProof {
  return {
    razorpay_order_id: orderId,
    razorpay_payment_id: paymentId,
    razorpay_signature: createHmac('sha256', secret)
      .update(`${orderId}|${paymentId}`)
      .digest('hex'),
  }
}

type Started = { id: string; amount: number; currency: string; key: string; checkout: string }
/** An answer of verify, with `code` or `order`. */
type Verified = { success: boolean; code?: FailureCode; message: string; order: Order }

/** One entry a piece, as the browser's cart has it. */
export const cartOf = (...products: { id: string }[]) => products.map(({ id }) => ({ _id: id }))

/** The two calls of a purchase, as `person`. */
export function purchases(shop: TestShop) {
  const start = <Body = Started>(
    person: Person,
    body: {
      amount: unknown
      cart?: unknown
      couponCodes?: string[]
      automaticDiscounts?: boolean
      shownAddress?: string
      delivery?: unknown
    },
  ) => shop.post<Body>('/product/razorpay/order', { token: person.token, body })
  const verify = async <Body = Verified>(person: Person, proof: PaymentProof, cart?: unknown) => {
    await payInSandbox(shop.db, proof)
    return shop.post<Body>('/product/razorpay/verify', {
      token: person.token,
      body: { ...proof, cart },
    })
  }
  const ordersOf = async (person: Person) =>
    (await shop.get<Order[]>('/auth/orders', { token: person.token })).body
  const stockOf = async (product: { id: string }) => (await listedOf(shop.db, product)).quantity
  const cancel = (person: Person, orderId: unknown) =>
    shop.post('/product/razorpay/cancel', {
      token: person.token,
      body: { razorpay_order_id: orderId },
    })
  /** Lets every reservation expire; none is released. */
  const lapseReservations = () =>
    shop.db
      .updateTable('payments')
      .set({ reserved_until: new Date(0) })
      .where('state', '=', 'open')
      .where('reserved_until', 'is not', null)
      .execute()
  /** Lets every reservation expire, and releases it. */
  const expireReservations = async () => {
    await lapseReservations()
    await releaseExpired(shop.db)
  }
  return { start, verify, cancel, lapseReservations, expireReservations, ordersOf, stockOf }
}

/** The money that came in for a payment, as the back office lists it, ordered by state. */
export const moneyOf = (shop: TestShop, providerOrderId: string) =>
  shop.db
    .selectFrom('captures')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .innerJoin('capture_overview', 'capture_overview.id', 'captures.id')
    .where('payments.provider_order_id', '=', providerOrderId)
    .selectAll('captures')
    .select('capture_overview.state')
    .orderBy('capture_overview.state')
    .execute()
