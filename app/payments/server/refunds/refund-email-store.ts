/** The facts of a refund that is done. */
import { sql } from 'kysely'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import type { Database } from '#db/schema.ts'

/** A refund, with its payment and its order. */
export const selectRefunded = (tx: Database, id: string) =>
  tx
    .selectFrom('refunds')
    .innerJoin('captures', 'captures.id', 'capture_id')
    .innerJoin('payments', 'payments.id', 'captures.payment_id')
    .leftJoin('orders', (join) =>
      join.onRef('orders.payment_id', '=', 'payments.id').on('purpose', '=', 'order'),
    )
    .innerJoinLateral(
      // of an order, all the money that was paid for it
      sql<{ paid_minor: number; refunded_minor: number }>`(
        select paid.paid_minor, paid.refunded_minor from money_of(payments.id) as paid where purpose = 'order'
        union all select captures.amount_minor, one.refunded_minor from refunds_of(captures.id) as one
        where purpose <> 'order')`.as('refunded'),
      (join) => join.onTrue(),
    )
    .where('refunds.id', '=', id)
    .select(['payments.id as payment_id', 'refunds.amount_minor'])
    .select('refunds.is_mailed')
    .select(['payments.test', 'orders.id as order_id', 'orders.number', 'captures.currency'])
    .select(['refunded.paid_minor', 'refunded.refunded_minor'])
    .select(sql<boolean>`captures.received_by is not null`.as('by_hand'))
    .select(
      sql<boolean>`exists (select from credit_notes_due where refund_id = refunds.id)`.as(
        'credit_note',
      ),
    )
    .select(sql<string | null>`coalesce(refusal, refunds.reason)`.as('reason'))
    .select(sql<string>`${dayOf(sql.ref('done_at'))}::text`.as('date'))
    .executeTakeFirst()
