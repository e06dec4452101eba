import { sql } from 'kysely'
import { type PaymentState, RESOLVABLE_STATES } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'

type Page = { limit: number; offset: number }

/** A page of the payments in these states, in the order of the states, each newest first. */
export const selectPayments = (db: Database, states: PaymentState[], { limit, offset }: Page) =>
  db
    .selectFrom('payment_overview as overview')
    .innerJoin('payments', 'payments.id', 'overview.payment_id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('provider_payments as money', 'money.id', 'overview.id')
    .leftJoin('reservations', 'reservations.payment_id', 'payments.id')
    .where('overview.state', 'in', states)
    .orderBy(sql`array_position(${states}::text[], overview.state)`)
    .orderBy('overview.created_at', 'desc')
    .orderBy('overview.id')
    .limit(limit)
    .offset(offset)
    .select([
      'overview.id',
      sql<PaymentState>`overview.state`.as('state'),
      'overview.created_at',
      'payments.id as payment_id',
      'payments.user_id',
      'payments.provider_order_id',
      'payments.priced_cart',
      'payments.failure',
      'payments.next_poll_at',
      'payments.poll_attempts',
      'payments.last_poll_error',
      'users.name',
      'users.email',
      'money.id as provider_payment_id',
      'money.refusal',
      'money.next_refund_at',
      'money.refund_attempts',
      'money.last_refund_error',
      'money.resolved_at',
      'money.resolution_note',
      'reservations.expires_at as reserved_until',
    ])
    .select(({ fn }) => [
      fn.coalesce('money.amount_minor', 'payments.amount_minor').as('amount_minor'),
      fn.coalesce('money.currency', 'payments.currency').as('currency'),
      fn.coalesce('money.refunded_minor', sql<number>`0`).as('refunded_minor'),
    ])
    .execute()

export type PaymentRow = Awaited<ReturnType<typeof selectPayments>>[number]

export async function countPayments(db: Database, states: PaymentState[]): Promise<number> {
  const { total } = await db
    .selectFrom('payment_overview')
    .where('state', 'in', states)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Resolves an issue with a note; false when the payment has none that an admin can resolve. */
export async function markResolved(
  tx: Database,
  { id, note }: { id: string; note: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('provider_payments')
    .set({
      resolution_note: note,
      resolved_at: sql`case when resolution_note = ${note} then resolved_at else now() end`,
    })
    .where('id', '=', id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payment_overview')
        .select('id')
        .where('id', '=', id)
        .where('state', 'in', [...RESOLVABLE_STATES, 'resolved']),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether there is a payment of this id: the provider's, or the shop's of one that is started. */
export async function isKnown(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from provider_payments where id = ${id})
      or exists (select from payments where id::text = ${id}) as known`.execute(db)
  return rows[0]?.known ?? false
}
