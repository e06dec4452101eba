import { hasRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** The order that was placed by the request of this key. */
export const selectPlacedBy = (db: Database, key: string) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.payment_id', 'payments.id')
    .where(
      'provider_order_id',
      'in',
      ['none', 'bank_transfer', 'pay_on_delivery'].map((name) => `${name}_${key.toLowerCase()}`),
    )
    .where('placed_by', 'is not', null)
    .select(['orders.id as order_id', 'orders.number', 'payments.user_id', 'quote', 'amount_minor'])
    .select(['payments.delivery', 'payments.billing'])
    .executeTakeFirst()

/** Whether there is an open account of this id. */
export const isAccountOpen = (db: Database, id: string): Promise<boolean> =>
  hasRow(db.selectFrom('users').where('id', '=', id).where('closed_at', 'is', null))
