import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { addOrder, addRefund } from './orders.ts'

/** Where the shop of a test at this address takes orders that were paid with money. */
export const socketAt = (address: string): string =>
  join(tmpdir(), `haat-money-orders-${new URL(address).port}.sock`)

/** The environment of a process that takes them: the file is loaded before the shop. */
export const takingMoneyOrders = (socket: string) => ({
  MONEY_ORDERS_SOCKET: socket,
  NODE_OPTIONS: `--import=${new URL('./money-orders.ts', import.meta.url).href}`,
})

export type MoneyOrder = {
  buyer: Parameters<typeof addOrder>[1]
  lines: Line[]
  /** Whether the provider refuses a refund of it. */
  refundRefused?: boolean
}
type Line = NonNullable<NonNullable<Parameters<typeof addOrder>[2]>['lines']>[number]

/** Inserts an order paid with money, and perhaps its refused refund. */
export async function addMoneyOrder(
  db: Kysely<Schema>,
  { buyer, lines, refundRefused = false }: MoneyOrder,
): Promise<void> {
  const order = await addOrder(db, buyer, { lines })
  if (!refundRefused) return
  await addRefund(db, order, order.total_minor, {
    reason: 'Cracked',
    state: 'failed',
    last_error: 'The payment is more than 6 months old',
    // tried again tomorrow
    next_attempt_at: new Date(Date.now() + 24 * 60 * 60_000),
  })
}
