import type { NotNull } from 'kysely'
import type { Database } from '#db/schema.ts'

/**
 * The orders after the one of this id with the columns of the export, oldest first; the first ones
 * after null.
 */
export const selectOrdersAfter = (db: Database, id: string | null, limit: number) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .leftJoin('invoices', 'invoices.order_id', 'orders.id')
    .$if(id !== null, (rest) => rest.where('orders.id', '>', id))
    .orderBy('orders.id')
    .limit(limit)
    .select([
      'orders.id',
      'orders.number',
      'invoices.number as invoice_number',
      'orders.created_at',
      'orders.status',
      'orders.buyer_name',
      'orders.buyer_email',
      'orders.buyer_phone',
      'orders.buyer_address',
      'orders.test',
      'orders.delivery',
      'orders.currency',
      'payments.provider_payment_id',
      'payments.refunded_minor',
    ])
    // a captured payment has one, also where an order cost nothing
    .$narrowType<{ provider_payment_id: NotNull }>()
    .execute()

/** The lines of some orders, in the order of their carts, without descriptions. */
export const selectSoldOf = (db: Database, orderIds: string[]) =>
  db
    .selectFrom('order_lines')
    .where('order_id', 'in', orderIds)
    .orderBy('order_id')
    .orderBy('position')
    .select(['order_id', 'name', 'quantity', 'price_minor'])
    .select(['discount_minor', 'tax_minor', 'tax_rate'])
    .execute()

/** The adjustments of some orders, in their order. */
export const selectAdjustmentsOf = (db: Database, orderIds: string[]) =>
  db
    .selectFrom('order_adjustments')
    .where('order_id', 'in', orderIds)
    .orderBy('order_id')
    .orderBy('position')
    .select(['order_id', 'kind', 'label', 'amount_minor', 'is_included', 'tax_minor', 'tax_rate'])
    .execute()
