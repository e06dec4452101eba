/** Lists of refunds: a buyer's money without an order, and what the doctor compares. */
import { sql } from 'kysely'
import type { RefundState } from '#app/payments/refund-contract.ts'
import { countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { paidMinor } from './refund-store.ts'

/** Money of a buyer without an order: only such money has a refusal. */
const refusedOf = (db: Database, userId: string) =>
  db.selectFrom('payments').where('user_id', '=', userId).where('refusal', 'is not', null)

const BUYER_STATE = sql<RefundState>`case
  when state <> 'refund_pending' then case state when 'failed' then 'voided' else 'refunded' end
  when refund_accepted then 'refunding'
  when refund_refused then 'refund_refused'
  else 'refund_pending' end`

/** A page of a buyer's refunds, newest first. */
export const selectRefundsOf = (
  db: Database,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
) =>
  refusedOf(db, userId)
    .orderBy('received_at', 'desc')
    .orderBy('payments.id')
    .limit(limit)
    .offset(offset)
    .select([
      sql<string>`provider_payment_id`.as('id'),
      paidMinor.as('amount_minor'),
      sql<string>`coalesce(paid_currency, payments.currency)`.as('currency'),
      sql<Date>`received_at`.as('received_at'),
      BUYER_STATE.as('state'),
      sql<string>`refusal`.as('refusal'),
    ])
    .execute()

export type RefundRow = Awaited<ReturnType<typeof selectRefundsOf>>[number]

export const countRefundsOf = (db: Database, userId: string): Promise<number> =>
  countRows(refusedOf(db, userId))

/**
 * Captured money at a provider that was started with its key and is not being refunded: refunded money first,
 * then the newest.
 */
export const selectRefundedAt = (
  db: Database,
  { name, publicKey }: { name: string; publicKey: string },
  limit: number,
) =>
  db
    .selectFrom('payments')
    .where('provider', '=', name)
    .where('public_key', '=', publicKey)
    .where('confirmed_at', 'is not', null)
    .where('state', 'in', ['captured', 'refunded'])
    .orderBy(sql`refunded_minor > 0`, 'desc')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .select([sql<string>`provider_payment_id`.as('id'), 'refunded_minor'])
    .execute()
