import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { LAST_ASK_OF_UNPAID, LEASE, MOST_ASKS, nextAsk, TOMORROW } from './pauses-store.ts'
import type { Refusal } from './store.ts'

/** What is taken on to be asked about, until `next_ask_at`. */
export type Taken = Pick<Row<'payments'>, 'id' | 'provider_order_id' | 'public_key' | 'next_ask_at'>

/**
 * Takes on a payment whose time has come; one taker at a time. Of those that were asked about least
 * the one that has waited longest, so that a new payment never waits for many that nobody pays: they
 * are looked through by the number of asks, each in the order of an index.
 */
export async function takePaymentToAsk(
  db: Database,
  provider: Row<'payments'>['provider'],
): Promise<Taken | undefined> {
  const { rows } = await sql<Taken>`
    update payments set next_ask_at = ${LEASE} where id = (
      select due.id from generate_series(0, ${MOST_ASKS}::integer) as times (asked)
      cross join lateral (
        select id from payments
        where asks = times.asked and next_ask_at <= now() and provider = ${provider}
        order by next_ask_at limit 1 for update skip locked) as due
      limit 1)
    returning id, provider_order_id, public_key, next_ask_at`.execute(db)
  return rows[0]
}

/** So many payments of a buyer are asked about in earnest although nobody has paid them. */
const OPEN_OF_BUYER = 10
/** So often every payment is asked about: money that nobody reported is found within minutes. */
const FIRST_ASKS = 3
/** More than a day's starts of one buyer. */
const MOST_LOOKED_AT = 100

/**
 * A buyer who starts payment after payment pays few of them: those before the newest that were asked
 * about a few times are asked about once more, tomorrow. What somebody works on stays as it is.
 */
export const askLessAboutOlder = (tx: Database, userId: string) =>
  sql`
    update payments set asks = ${LAST_ASK_OF_UNPAID}, next_ask_at = ${TOMORROW} where id in (
      select id from payments
      where id in (
          select id from payments
          where user_id = ${userId} and settled_at is null and next_ask_at is not null
          order by id desc offset ${OPEN_OF_BUYER} limit ${MOST_LOOKED_AT})
        and asks >= ${FIRST_ASKS} and asks < ${LAST_ASK_OF_UNPAID}
        and not exists (select from provider_payments where payment_id = payments.id)
      for update skip locked)`.execute(tx)

type Answer = { retrySeconds: number; error: string | null }

/** It was asked about: when it is the next time, unless somebody has said so meanwhile. */
export const noteAsk = (
  db: Database,
  { id, next_ask_at }: Taken,
  { retrySeconds, error }: Answer,
) => {
  const isTheirs = sql<boolean>`next_ask_at is not distinct from ${next_ask_at}`
  return db
    .updateTable('payments')
    .set({
      ask_error: error,
      asks: sql<number>`case when ${isTheirs} then asks + 1 else asks end`,
      next_ask_at: sql<Date | null>`
        case when ${isTheirs} then ${nextAsk(retrySeconds, sql`asks + 1`)} else next_ask_at end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Something has come in, or was confirmed: the asking begins anew. */
export const beginAsking = (tx: Database, id: string, retrySeconds: number) =>
  tx
    .updateTable('payments')
    .set({ asks: 0, ask_error: null, next_ask_at: nextAsk(retrySeconds, sql`0`) })
    .where('id', '=', id)
    .execute()

/**
 * How much the shop may take of money that a bank has promised for this payment, if anything: what
 * the order asks for, as long as the payment is open or its order stands on this money. Without a
 * cart it has to be claimed first; what its buyer has cancelled is not open.
 */
export const selectAmountToCapture = (
  db: Database,
  { paymentId, moneyId }: { paymentId: string; moneyId: string },
) =>
  db
    .selectFrom('payments')
    .leftJoin('provider_payments as money', (join) =>
      join.onRef('money.payment_id', '=', 'payments.id').on('money.id', '=', moneyId),
    )
    .leftJoin('orders', 'orders.payment_id', 'payments.id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .where('payments.id', '=', paymentId)
    .where(({ or, and, eb }) =>
      or([
        and([eb('money.state', '=', 'kept'), eb('orders.status', '!=', 'cancel')]),
        and([
          ...[eb('money.id', 'is', null), eb('payments.settled_at', 'is', null)],
          eb('payments.priced_cart', '=', true),
          ...[eb('payments.cancelled_at', 'is', null), eb('users.closed_at', 'is', null)],
        ]),
      ]),
    )
    .select(['payments.amount_minor as amountMinor', 'payments.currency'])
    .executeTakeFirst()

type Lapsed = { paymentId: string; failed: string[]; refunded: string[]; refusal: Refusal }

/**
 * What is due to go back, or was not claimed yet, and will never come in, or went back by itself,
 * needs nothing more; answers what that was.
 */
export const endLapsed = (tx: Database, { paymentId, failed, refunded, refusal }: Lapsed) =>
  tx
    .updateTable('provider_payments')
    .set({
      state: sql`case when id = any(${refunded}::text[]) then 'refunded' else 'never_came' end`,
      given_back_minor: sql`
        case when id = any(${refunded}::text[]) then amount_minor else given_back_minor end`,
      refusal: sql`coalesce(refusal, ${refusal.refusal})`,
      refusal_code: sql`coalesce(refusal_code, ${refusal.refusal_code})`,
      ...{ doubt: null, next_refund_at: null, refund_error: null },
    })
    .where('payment_id', '=', paymentId)
    .where('id', '=', sql<string>`any(${[...failed, ...refunded]}::text[])`)
    .where('captured_at', 'is', null)
    .where('state', 'in', ['unclaimed', 'refund_due'])
    .returning(['id', 'state'])
    .execute()

/** Notes of a payment's money that the provider did not confirm why not, and answers what is news. */
export const doubtMoney = (tx: Database, paymentId: string, lapsed: string[]) => {
  const doubt = sql<'lapsed' | 'uncaptured'>`
    case when id = any(${lapsed}::text[]) then 'lapsed' else 'uncaptured' end`
  return tx
    .updateTable('provider_payments')
    .set({ doubt })
    .where('payment_id', '=', paymentId)
    .where('captured_at', 'is', null)
    .where('state', 'not in', ['refunding', 'refunded', 'never_came'])
    .where('doubt', 'is distinct from', doubt)
    .returning(['id', 'state', 'doubt'])
    .execute()
}
