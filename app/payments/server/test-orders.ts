import { releaseTestCoupons } from '#app/coupons/server/uses.sql.ts'
import { returnTestStock } from '#app/orders/server/service.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from './context.ts'

/**
 * Returns the stock and the uses of coupons that test orders took: a shop that takes money begins without
 * them. Several processes may do it at the same time. Coupons are locked before products, as by a purchase.
 */
export async function returnTestOrders(
  db: Database,
  { log }: Pick<PaymentContext, 'log'>,
): Promise<void> {
  const returned = await inTransaction(db, SHOP, async (tx) => ({
    couponUses: await releaseTestCoupons(tx),
    orders: await returnTestStock(tx),
  }))
  if (returned.orders > 0 || returned.couponUses > 0)
    log.warn(returned, 'the stock and the uses of coupons of test orders were returned')
}
