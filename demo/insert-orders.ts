/** Inserts the customers, discounts and orders of the demo with their times. Nobody gets an e-mail of it. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import { formatAddress } from '#app/shipping/model.ts'
import type { Database } from '#db/schema.ts'
import { DEMO_CUSTOMERS, NO_SECRET } from './customers.ts'
import { DEMO_DISCOUNTS, type PlannedOrder } from './plan-orders.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** An unpaid order is to be paid within these days. */
const DUE_DAYS = 21

/** Statements of the work write entries of the history with this time. */
export const atTime = async (tx: Database, at: Date, work: () => Promise<unknown>) => {
  await sql`select set_config('haat.at', ${at.toISOString()}, true)`.execute(tx)
  await work()
  await sql`select set_config('haat.at', '', true)`.execute(tx)
}

/** Returns the ids of the customers, in their order. Each has an account since an hour before the first order. */
export async function insertCustomers(tx: Database, orders: PlannedOrder[]): Promise<string[]> {
  const rows = DEMO_CUSTOMERS.map(({ email, ...delivery }, place) => {
    const first = orders.find(({ customer }) => customer === place)?.at.getTime() ?? Date.now()
    const created_at = new Date(first - 60 * MINUTE)
    return {
      id: uuidv7({ msecs: created_at.getTime() }),
      name: delivery.name,
      email,
      email_key: emailKey(email),
      password_hash: NO_SECRET,
      answer_hash: NO_SECRET,
      phone: delivery.phone,
      address: formatAddress({ region: '', ...delivery }),
      created_at,
    }
  })
  await tx.insertInto('users').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** Returns the ids of the discounts by their codes. */
export async function insertDiscounts(tx: Database, orders: PlannedOrder[]) {
  const created_at = new Date((orders[0]?.at.getTime() ?? Date.now()) - DAY)
  const rows = DEMO_DISCOUNTS.map((discount) => ({
    id: uuidv7(),
    ...discount,
    created_at,
    uses: orders.filter((order) => order.discount?.code === discount.code).length,
  }))
  await atTime(tx, created_at, async () => {
    for (const row of rows) await tx.insertInto('coupons').values(row).execute()
  })
  return new Map(rows.map(({ id, code }) => [code as string, id]))
}

/** The ids of the customers, in their order, and of the admin; the currency of the shop. */
export type People = { customers: string[]; adminId: string; currency: string }

const hexOf = (id: string) => id.replaceAll('-', '').slice(-24)
const proofOf = ({ paymentId }: PlannedOrder) => `pay_${hexOf(paymentId)}`

async function insertPayments(
  tx: Database,
  orders: PlannedOrder[],
  { customers, currency }: People,
) {
  const payments = orders.map((order) => ({
    id: order.paymentId,
    user_id: customers[order.customer] ?? '',
    provider: order.isPaid ? 'sandbox' : 'bank_transfer',
    provider_order_id: `${order.isPaid ? 'order' : 'bank_transfer'}_${hexOf(order.id)}`,
    public_key: order.isPaid ? 'rzp_sandbox' : null,
    state: order.isPaid ? ('paid' as const) : ('owed' as const),
    due_at: order.isPaid ? null : new Date(order.at.getTime() + DUE_DAYS * DAY),
    test: true,
    created_at: new Date(order.at.getTime() - MINUTE),
    amount_minor: order.totalMinor,
    currency,
  }))
  await tx.insertInto('payments').values(payments).execute()
  const captures = orders
    .filter(({ isPaid }) => isPaid)
    .map((order) => ({
      // refunds and documents find it by the id of its payment
      id: order.paymentId,
      payment_id: order.paymentId,
      provider: 'sandbox',
      provider_payment_id: proofOf(order),
      amount_minor: order.totalMinor,
      currency,
      received_at: order.at,
      confirmed_at: order.at,
      purpose: 'order' as const,
    }))
  await tx.insertInto('captures').values(captures).execute()
}

async function insertSold(tx: Database, orders: PlannedOrder[], { customers, currency }: People) {
  const rows = orders.map((order) => {
    const { email = '', ...delivery } = DEMO_CUSTOMERS[order.customer] ?? DEMO_CUSTOMERS[0] ?? {}
    const address = {
      name: '',
      street: '',
      city: '',
      postalCode: '',
      country: '',
      phone: '',
      region: '',
      ...delivery,
    }
    return {
      id: order.id,
      payment_id: order.paymentId,
      user_id: customers[order.customer] ?? '',
      buyer_name: address.name,
      buyer_email: email,
      buyer_phone: address.phone,
      buyer_address: formatAddress(address),
      delivery: JSON.stringify(address),
      status: order.moves.at(-1)?.to ?? ('Not Process' as const),
      mailed_statuses: order.moves.map(({ to }) => to),
      total_minor: order.totalMinor,
      currency,
      test: true,
      created_at: order.at,
      carrier: order.shipment?.carrier ?? null,
      tracking_number: order.shipment?.trackingNumber ?? null,
    }
  })
  // one after the other: their numbers are in the order of their times
  await tx.insertInto('orders').values(rows).execute()
  const lines = orders.flatMap((order) =>
    order.lines.map(({ product, quantity, discountMinor }, position) => ({
      order_id: order.id,
      position,
      product_id: product.id,
      quantity,
      name: product.name,
      slug: product.slug,
      description: product.description,
      price_minor: product.price_minor,
      discount_minor: discountMinor,
    })),
  )
  await tx.insertInto('order_lines').values(lines).execute()
}

/** The rows of the discounts, and their uses. */
async function insertUses(
  tx: Database,
  orders: PlannedOrder[],
  { customers }: People,
  coupons: Map<string, string>,
) {
  const used = new Map<string, number>()
  for (const { id, paymentId, discount, customer, lines } of orders) {
    if (!discount) continue
    const amount_minor = -lines.reduce((sum, line) => sum + line.discountMinor, 0)
    const row = {
      kind: 'discount' as const,
      label: `Coupon ${discount.code}`,
      source: discount.code,
    }
    await tx
      .insertInto('order_adjustments')
      .values({ order_id: id, position: 0, ...row, amount_minor })
      .execute()
    const key = `${discount.code} ${customer}`
    used.set(key, (used.get(key) ?? 0) + 1)
    const use = { coupon_id: coupons.get(discount.code) ?? '', user_id: customers[customer] ?? '' }
    await tx
      .insertInto('coupon_uses')
      .values({ ...use, payment_id: paymentId, ordinal: used.get(key) ?? 1 })
      .execute()
  }
}

/** The entries of the history of the orders: who has set which status, and when. */
async function insertMoves(tx: Database, orders: PlannedOrder[], { adminId }: People) {
  const rows = orders.flatMap(({ id, moves, shipment }) =>
    moves.map(({ from, to, at }) => {
      const sent = to === 'Shipped' && shipment
      const tracked = { carrier: shipment?.carrier, tracking_number: shipment?.trackingNumber }
      return {
        at,
        actor_kind: 'admin' as const,
        actor_id: adminId,
        action: 'update' as const,
        table_name: 'orders' as const,
        row_id: id,
        before: { status: from, ...(sent && { carrier: null, tracking_number: null }) },
        after: { status: to, ...(sent && tracked) },
      }
    }),
  )
  rows.sort((a, b) => a.at.getTime() - b.at.getTime())
  await tx.insertInto('audit_log').values(rows).execute()
}

/** Inserts the orders with their payments, discounts and history. */
export async function insertOrders(
  tx: Database,
  orders: PlannedOrder[],
  people: People,
  coupons: Map<string, string>,
): Promise<void> {
  await insertPayments(tx, orders, people)
  await insertSold(tx, orders, people)
  await insertUses(tx, orders, people, coupons)
  await insertMoves(tx, orders, people)
}
