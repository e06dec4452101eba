import { sql } from 'kysely'
import type { OrderStatus } from '#app/orders/contract.ts'
import type { Database } from '#db/schema.ts'

/** The name of every closed account, and of the buyer on its orders. */
const NOBODY = 'Closed account'

/** The statuses of orders that are still to be sent, for which their addresses are needed. */
const TO_SEND: OrderStatus[] = ['Not Process', 'Processing']

/** An open account, held until the transaction ends: log-ins, orders and changes of it wait. */
export const lockAccount = (tx: Database, id: string) =>
  tx
    .selectFrom('users')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .select(['name', 'is_admin'])
    .forUpdate()
    .executeTakeFirst()

export async function countOrdersToSend(tx: Database, userId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .where('status', 'in', TO_SEND)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** No e-mail has a blank, so nobody can register the key that takes the place of the e-mail. */
export const anonymiseAccount = (tx: Database, id: string, hash: string) =>
  tx
    .updateTable('users')
    .set({
      name: NOBODY,
      email: '',
      email_key: `closed ${id}`,
      phone: '',
      address: '',
      password_hash: hash,
      answer_hash: hash,
      closed_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()

export const anonymiseOrders = (tx: Database, userId: string) =>
  tx
    .updateTable('orders')
    .set({ buyer_name: NOBODY, buyer_email: '', buyer_phone: '', buyer_address: '' })
    .where('user_id', '=', userId)
    .execute()
