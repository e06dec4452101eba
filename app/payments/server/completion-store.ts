import { sql } from 'kysely'
import { orderPlaced } from '#app/orders/server/place.sql.ts'
import type { PlacedOrder } from '#app/orders/server/service.ts'
import { secondsFromNow } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { pollSchedule } from './backoff.ts'
import type { Amount } from './providers/provider.ts'
import type { Money } from './store.ts'
import type { PaymentState } from './transitions.ts'

/** Money for a payment, and when the payment may take it. */
export type Capture = {
  providerOrderId: string
  provider: string
  /** Only a payment of this buyer. */
  buyerId?: string | undefined
  /** The states from which it is captured: of a created payment the stock is reserved. */
  from: PaymentState[]
  money: Money
  /** The amount that the provider has reported, captured or not. */
  reported?: Amount | undefined
  /** Whether any amount is right: otherwise only the amount of the payment. */
  isExpected: boolean
  /** The id of the new order. */
  orderId: string
  retrySeconds: number
}

/** The row of the new order, with its payment. */
const placedOrder = sql`
  select placed.*, provider_order_id, provider_payment_id, refunded_minor, quote,
    quote -> 'adjustments' as adjustments, refund_reason, null as issue, false as is_refund_pending,
    false as is_refund_refused, false as is_changed
  from placed, captured`

/**
 * Captures a payment and places its order, in one statement. Undefined, without any change, when the
 * payment is in another state, has other money, no quote, another amount or buyer, or its buyer has
 * closed the account.
 */
export async function captureAndPlace(
  db: Database,
  capture: Capture,
): Promise<PlacedOrder | undefined> {
  const { money, from, reported, buyerId = null } = capture
  const { id, captured, isAuthorised } = money
  const { open, decided } = pollSchedule(capture.retrySeconds, 0)
  // the job captures what is only authorised
  const next = captured ? decided : isAuthorised ? 0 : open
  // the embedded database cannot send an array of a type that was created after it was opened
  const { rows } = await sql<PlacedOrder>`
    ${PREPARED} with payment as (
      select payments.id
      from payments join users on users.id = payments.user_id
      where provider_order_id = ${capture.providerOrderId}
        and provider = ${capture.provider}::text
        and state::text = any(${from}::text[]) and quote is not null
        and (provider_payment_id is null or provider_payment_id = ${id})
        and (${buyerId}::uuid is null or payments.user_id = ${buyerId}::uuid)
        and (${capture.isExpected}::boolean
          or amount_minor = coalesce(${reported?.amountMinor ?? null}::bigint, paid_minor, amount_minor)
            and currency = coalesce(${reported?.currency ?? null}::text, paid_currency, currency))
        and closed_at is null
      -- in this order: an account that is being closed is locked before its payments
      for key share of users for no key update of payments
    ),
    captured as (
      update payments
      set state = 'captured', provider_payment_id = ${id},
        received_at = coalesce(received_at, now()),
        confirmed_at = ${captured ? sql`now()` : sql`confirmed_at`},
        paid_minor = coalesce(${captured?.amountMinor ?? null}::bigint, paid_minor),
        paid_currency = coalesce(${captured?.currency ?? null}::text, paid_currency),
        attempts = 0, last_error = null,
        next_attempt_at = ${secondsFromNow(next)}
      from payment
      where payments.id = payment.id
      returning payments.*
    ),
    ${orderPlaced(capture.orderId)} ${placedOrder}`.execute(db)
  return rows[0]
}

/**
 * Places the order of a payment that costs nothing. Undefined when its buyer has closed the account.
 */
export async function placeFree(
  tx: Database,
  { id, orderId }: { id: string; orderId: string },
): Promise<PlacedOrder | undefined> {
  const { rows } = await sql<PlacedOrder>`
    with captured as (
      update payments
      set state = 'captured', provider_payment_id = provider_order_id, received_at = now(),
        confirmed_at = now(), next_attempt_at = null
      from users
      where payments.id = ${id}::uuid and provider = 'none' and users.id = user_id
        and closed_at is null
      returning payments.*
    ),
    ${orderPlaced(orderId)} ${placedOrder}`.execute(tx)
  return rows[0]
}

/** Names the cart of a payment that was started with an amount only. */
export const setQuote = (tx: Database, id: string, quote: StoredQuote) =>
  tx
    .updateTable('payments')
    .set({ quote: JSON.stringify(quote), reserved_until: null })
    .where('id', '=', id)
    .execute()
