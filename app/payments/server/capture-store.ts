/** Captures: the money of payments, one row for each payment id that the provider named. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { changesRow, secondsFromNow } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import type { Amount, OpenedProvider } from './providers/provider.ts'
import { NOTHING_TO_SELL, type Refusal } from './refusals.ts'
import type { Payment } from './store.ts'
import { before, PAYABLE } from './transitions.ts'

export type Capture = Row<'captures'>

/** Money at the provider. */
export type Money = {
  id: string
  /** Whether the provider has told that it is captured. */
  isCaptured: boolean
  /** Whether it is only authorised, as far as the shop knows: then nothing has to be refunded. */
  isAuthorised: boolean
}

export const selectCapture = (db: Database, providerPaymentId: string) =>
  db
    .selectFrom('captures')
    .where('provider_payment_id', '=', providerPaymentId)
    .selectAll()
    .executeTakeFirst()

/** Stores money of a payment, to be decided on. Does nothing for money that is known. */
export const insertCapture = (
  tx: Database,
  payment: Payment,
  { id, reported }: { id: string; reported?: Amount | undefined },
) =>
  tx
    .insertInto('captures')
    .values({
      id: uuidv7(),
      payment_id: payment.id,
      provider: payment.provider,
      provider_payment_id: id,
      amount_minor: reported?.amountMinor ?? payment.amount_minor,
      currency: reported?.currency ?? payment.currency,
      purpose: 'undecided',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** The undecided money of a payment, the first first. */
export const selectUndecided = (db: Database, paymentId: string): Promise<Capture[]> =>
  db
    .selectFrom('captures')
    .where('payment_id', '=', paymentId)
    .where('purpose', '=', 'undecided')
    .orderBy('id')
    .selectAll()
    .execute()

type Confirmation = Amount & { id: string; isExpected: boolean }

/**
 * The provider itself confirms the capture of money, and its amount; false when it had done so before. Money
 * that was never captured may have been, after all.
 */
export const confirmCapture = (
  tx: Database,
  { id, isExpected, amountMinor, currency }: Confirmation,
): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('captures')
      .set({
        confirmed_at: sql`now()`,
        voided_at: null,
        amount_minor: amountMinor,
        currency,
        issue: sql`case when purpose = 'order' and not ${isExpected}::boolean then 'amount_mismatch' end`,
        resolved_at: null,
        resolution_note: null,
      })
      .where('id', '=', id)
      .where('confirmed_at', 'is', null),
  )

/**
 * Money pays for nothing: it goes back to its buyer. What its provider has only authorised is never captured, and
 * counts as released unless the provider captures it all the same.
 */
export const refuseCapture = (
  tx: Database,
  id: string,
  refusal: Refusal,
  provider: Pick<OpenedProvider, 'capture'> | undefined,
) =>
  tx
    .updateTable('captures')
    .set({ ...refusal, purpose: 'nothing' })
    .$if(provider?.capture !== undefined, (rest) =>
      rest.set({ voided_at: sql`case when confirmed_at is null then now() end` }),
    )
    .where('id', '=', id)
    .where('purpose', 'in', before('captures', 'nothing'))
    .execute()

/** Whether money pays for an order that was cancelled. */
export async function isForCancelled(db: Database, { payment_id }: Capture): Promise<boolean> {
  const order = await db
    .selectFrom('orders')
    .where('payment_id', '=', payment_id)
    .where('status', '=', 'cancel')
    .select('id')
    .executeTakeFirst()
  return order !== undefined
}

/** Stores money for an order that the shop does not have; a repeated report changes nothing. */
export const insertUnknown = (
  db: Database,
  provider: string,
  { orderId, paymentId, amountMinor, currency }: Amount & { orderId: string; paymentId: string },
) =>
  db
    .insertInto('captures')
    .values({
      id: uuidv7(),
      provider,
      provider_order_id: orderId,
      provider_payment_id: paymentId,
      amount_minor: amountMinor,
      currency,
      confirmed_at: sql`now()`,
      purpose: 'unknown',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/**
 * Stores money that was refunded at the provider before the shop heard of it: it buys nothing. Does nothing for
 * money that is known, but for undecided money.
 */
export const insertRefunded = (
  db: Database,
  provider: string,
  { paymentId, orderId, amountMinor, currency }: Amount & { paymentId: string; orderId: string },
) =>
  sql`
    insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency,
      confirmed_at, purpose, refusal_code, refusal)
    select ${uuidv7()}::uuid, id, provider, ${paymentId}, ${amountMinor}::bigint, ${currency}, now(), 'nothing',
      ${NOTHING_TO_SELL.refusal_code}, ${NOTHING_TO_SELL.refusal}
    from payments where provider_order_id = ${orderId} and provider = ${provider}
    on conflict (provider_payment_id) do update
      set purpose = 'nothing', refusal_code = excluded.refusal_code, refusal = excluded.refusal,
        confirmed_at = now(), amount_minor = excluded.amount_minor, currency = excluded.currency
      where captures.purpose = 'undecided'`.execute(db)

/** The provider's ids of money that was not captured: the bank failed, or the money was released. */
export type NotCaptured = { paymentId: string; failed: string[]; released: string[] }

const unconfirmed = ({ paymentId, failed, released }: NotCaptured) => sql<boolean>`
  (payment_id = ${paymentId}::uuid and confirmed_at is null
    and provider_payment_id = any(${[...failed, ...released]}::text[]))`

/** Forgets undecided money that was not captured: the payment can still be paid. */
export const forgetVoided = (tx: Database, notCaptured: NotCaptured): Promise<boolean> =>
  changesRow(
    tx.deleteFrom('captures').where(unconfirmed(notCaptured)).where('purpose', '=', 'undecided'),
  )

/** Notes money that was not captured; answers the captures of which that is new. */
export const markVoided = (tx: Database, notCaptured: NotCaptured) =>
  tx
    .updateTable('captures')
    .set({ voided_at: sql`now()`, resolved_at: null, resolution_note: null })
    .where(unconfirmed(notCaptured))
    .where('purpose', '!=', 'undecided')
    .where('voided_at', 'is', null)
    .returning(['id', 'provider_payment_id', 'purpose'])
    .execute()

/**
 * Undecided money of payments that are paid or over, and other undecided money older than so many minutes. Money
 * for a quote is not among the latter as long as the provider is polled: it has not told of its order yet.
 */
export const selectUnmatched = (db: Database, minutes: number, limit: number) =>
  db
    .selectFrom('captures')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where('purpose', '=', 'undecided')
    // undecided money is never resolved, and few rows are not: the index is of these
    .where('resolved_at', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        eb('payments.state', 'not in', PAYABLE),
        and([
          eb('received_at', '<=', secondsFromNow(-60 * minutes)),
          or([eb('quote', 'is', null), eb('next_attempt_at', 'is', null)]),
        ]),
      ]),
    )
    .orderBy('received_at')
    .limit(limit)
    .select(['captures.id', 'payments.id as paymentId'])
    .execute()
