import { sql } from 'kysely'
import type { RefundState } from '#app/payments/contract.ts'
import type { Database } from '#db/schema.ts'

type Slice = { limit: number; offset: number }

/** Money of this buyer that is decided to buy nothing; just that has a refusal, which the database sees to. */
const refused = (db: Database, userId: string) =>
  db
    .selectFrom('payments')
    .innerJoin('provider_payments as money', 'money.payment_id', 'payments.id')
    .where('payments.user_id', '=', userId)
    .where('money.refusal', 'is not', null)

/** A page of it, newest first. */
export const selectRefundsOf = (db: Database, userId: string, { limit, offset }: Slice) =>
  refused(db, userId)
    .orderBy('money.created_at', 'desc')
    .orderBy('money.id')
    .limit(limit)
    .offset(offset)
    .select([
      ...(['money.id', 'money.amount_minor', 'money.currency', 'money.created_at'] as const),
      sql<RefundState>`money.state`.as('state'),
      sql<string>`money.refusal`.as('refusal'),
    ])
    .execute()

export type RefundRow = Awaited<ReturnType<typeof selectRefundsOf>>[number]

export async function countRefundsOf(db: Database, userId: string): Promise<number> {
  const { total } = await refused(db, userId)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
