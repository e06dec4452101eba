import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { byHand } from '#app/orders/server/by-hand.sql.ts'
import { orderPlaced } from '#app/orders/server/place.sql.ts'
import type { PlacedOrder } from '#app/orders/server/service.ts'
import { secondsFromNow } from '#app/shared/server/store.ts'
import { sharedBuyerLock } from '#db/locks.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { pollSchedule } from './backoff.ts'
import type { Money } from './capture-store.ts'
import type { Amount } from './providers/provider.ts'
import type { PaymentState } from './transitions.ts'

/** Money for a payment, and when the payment may take it. */
export type Placing = {
  providerOrderId: string
  provider: string
  /** Only a payment of this buyer. */
  buyerId?: string | undefined
  /** The states from which it is paid: of an open payment the stock is reserved. */
  from: PaymentState[]
  money: Money
  /** The amount that the provider has reported, captured or not. */
  reported?: Amount | undefined
  /** Whether the money is known, and of the right amount. Otherwise only new money of the payment's amount. */
  isExpected: boolean
  /** The id of the new order. */
  orderId: string
  retrySeconds: number
}

/** The row of the new order, with its payment. */
const placedOrder = sql`
  select placed.*, provider_order_id, provider_payment_id, 0::bigint as refunded_minor, quote,
    0::bigint as paid_minor, ${byHand('paid')} as by_hand,
    quote -> 'adjustments' as adjustments, null as refunds, null as refund_reason, null as capture,
    false as is_refund_pending, false as is_refund_refused, false as is_changed
  from placed, paid`

/**
 * Stores the capture of a payment and places its order, in one statement. Undefined, without any change,
 * when the payment is in another state, has no quote, another amount or buyer, when the money is decided on
 * already, or its buyer has closed the account.
 */
export async function captureAndPlace(
  db: Database,
  placing: Placing,
): Promise<PlacedOrder | undefined> {
  const { from, reported, isExpected, buyerId = null } = placing
  const { id, isCaptured, isAuthorised } = placing.money
  const { open, decided } = pollSchedule(placing.retrySeconds, 0)
  // the job captures what is only authorised
  const next = isCaptured ? decided : isAuthorised ? 0 : open
  const { rows } = await sql<PlacedOrder>`
    ${PREPARED} with of_buyer as (
      -- before the payment, from which the closing of the account takes the contact
      select id, ${sharedBuyerLock(sql`user_id`)} from payments
      where provider_order_id = ${placing.providerOrderId} and provider = ${placing.provider}::text
    ),
    payment as (
      select payments.id, payments.provider, amount_minor, currency
      from of_buyer join payments on payments.id = of_buyer.id
      where state = any(${from}::text[]) and quote is not null
        and (${buyerId}::uuid is null or payments.user_id = ${buyerId}::uuid)
        and (${isExpected}::boolean
          or amount_minor = coalesce(${reported?.amountMinor ?? null}::bigint, amount_minor)
            and currency = coalesce(${reported?.currency ?? null}::text, currency))
        and payments.buyer is not null
      for no key update of payments
    ),
    captured as (
      insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency,
        confirmed_at, purpose)
      select ${uuidv7()}::uuid, payment.id, provider, ${id}, amount_minor, currency,
        ${isCaptured ? sql`now()` : sql`null`}, 'order'
      from payment
      on conflict (provider_payment_id) do update set purpose = 'order'
        where ${isExpected}::boolean and captures.purpose = 'undecided'
          and captures.payment_id = excluded.payment_id
      returning payment_id, provider_payment_id
    ),
    paid as (
      update payments
      set state = 'paid', attempts = 0, last_error = null,
        next_attempt_at = ${secondsFromNow(next)}
      from captured
      where payments.id = payment_id
      returning payments.*, provider_payment_id
    ),
    ${orderPlaced(placing.orderId)} ${placedOrder}`.execute(db)
  return rows[0]
}

/**
 * Places the order of a payment that costs nothing. Undefined when its buyer has closed the account.
 */
export async function placeFree(
  tx: Database,
  { id, orderId, placedBy, mails = true }: Omit<Unpaid, 'days'>,
): Promise<PlacedOrder | undefined> {
  const { rows } = await sql<PlacedOrder>`
    with paid as (
      update payments set state = 'paid', next_attempt_at = null, placed_by = ${placedBy ?? null}::uuid
      where id = ${id}::uuid and provider = 'none' and buyer is not null
      returning payments.*, provider_order_id as provider_payment_id
    ),
    captured as (
      insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency,
        confirmed_at, purpose)
      select ${uuidv7()}::uuid, id, provider, provider_payment_id, amount_minor, currency, now(), 'order'
      from paid
    ),
    ${orderPlaced(orderId, { mails })} ${placedOrder}`.execute(tx)
  return rows[0]
}

type Unpaid = {
  id: string
  orderId: string
  days: number
  /** The admin who places it for the buyer. */
  placedBy?: string
  mails?: boolean
}

/**
 * Places the order of a payment that no provider takes, to be paid within so many days. Undefined when its buyer
 * has closed the account.
 */
export async function placeUnpaid(
  tx: Database,
  { id, orderId, days, placedBy, mails = true }: Unpaid,
): Promise<PlacedOrder | undefined> {
  const { rows } = await sql<PlacedOrder>`
    with paid as (
      update payments set state = 'owed', next_attempt_at = null, due_at = ${secondsFromNow(days * 86_400)},
        placed_by = ${placedBy ?? null}::uuid
      where id = ${id}::uuid and buyer is not null
      returning payments.*, null as provider_payment_id
    ),
    ${orderPlaced(orderId, { mails })} ${placedOrder}`.execute(tx)
  return rows[0]
}

/** Names the cart of a payment that was started with an amount only. */
export const setQuote = (tx: Database, id: string, quote: StoredQuote) =>
  tx
    .updateTable('payments')
    .set({ quote: JSON.stringify(quote), reserved_until: null })
    .where('id', '=', id)
    .execute()
