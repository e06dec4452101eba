import { createHmac, randomUUID } from 'node:crypto'
import type { Order } from '#app/orders/contract.ts'
import type { PaymentProof } from '#app/payments/contract.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import type { FailureCode } from '#app/shared/contract/failure.ts'
import type { Person } from './accounts.ts'
import type { TestShop } from './shop.ts'

export const SECRET = 'test-secret'

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
    body: { amount: unknown; cart?: unknown; couponCodes?: string[]; delivery?: unknown },
  ) => shop.post<Body>('/product/razorpay/order', { token: person.token, body })
  const verify = <Body = Verified>(person: Person, proof: PaymentProof, cart?: unknown) =>
    shop.post<Body>('/product/razorpay/verify', { token: person.token, body: { ...proof, cart } })
  const ordersOf = async (person: Person) =>
    (await shop.get<Order[]>('/auth/orders', { token: person.token })).body
  const stockOf = async ({ id }: { id: string }) =>
    (
      await shop.db
        .selectFrom('products')
        .where('id', '=', id)
        .select('quantity')
        .executeTakeFirstOrThrow()
    ).quantity
  const cancel = (person: Person, orderId: unknown) =>
    shop.post('/product/razorpay/cancel', {
      token: person.token,
      body: { razorpay_order_id: orderId },
    })
  /** Lets every reservation expire, and releases it. */
  const expireReservations = async () => {
    await shop.db
      .updateTable('payments')
      .set({ reserved_until: new Date(0) })
      .where('state', '=', 'created')
      .where('reserved_until', 'is not', null)
      .execute()
    await releaseExpired(shop.db)
  }
  return { start, verify, cancel, expireReservations, ordersOf, stockOf }
}

/** The money of a payment and its surplus, ordered by state. */
export const moneyOf = (shop: TestShop, providerOrderId: string) =>
  shop.db
    .selectFrom('payments')
    .leftJoin('payments as of', 'of.id', 'payments.surplus_of')
    .where(({ or, eb }) =>
      or([
        eb('payments.provider_order_id', '=', providerOrderId),
        eb('of.provider_order_id', '=', providerOrderId),
      ]),
    )
    .where('payments.provider_payment_id', 'is not', null)
    .selectAll('payments')
    .orderBy('payments.state')
    .execute()
