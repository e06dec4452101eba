/** The facts of the e-mail about a refund. */
import { sql } from 'kysely'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import type { Database } from '#db/schema.ts'

/** A refund, with its buyer and its order. */
export const selectRefunded = (tx: Database, id: string) =>
  tx
    .selectFrom('refunds')
    .innerJoin('captures', 'captures.id', 'capture_id')
    .innerJoin('payments', 'payments.id', 'captures.payment_id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('orders', (join) =>
      join.onRef('orders.payment_id', '=', 'payments.id').on('purpose', '=', 'order'),
    )
    .innerJoinLateral(
      sql<{ refunded_minor: number }>`refunds_of(captures.id)`.as('refunded'),
      (join) => join.onTrue(),
    )
    .where('refunds.id', '=', id)
    .select(['payments.user_id', 'users.name', 'users.email', 'refunds.amount_minor'])
    .select(['payments.test', 'orders.id as order_id', 'orders.number', 'captures.currency'])
    .select(['captures.amount_minor as paid_minor', 'refunded.refunded_minor'])
    .select(sql<string | null>`coalesce(refusal, refunds.reason)`.as('reason'))
    .select(sql<string>`${dayOf(sql.ref('done_at'))}::text`.as('date'))
    .executeTakeFirst()
