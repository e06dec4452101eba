import { sql } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { auditedColumn, changesRow, secondsFromNow } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import { type PollSchedule, pollSchedule } from './backoff.ts'
import type { Amount, OpenedProvider } from './providers/provider.ts'
import type { Refusal } from './refusals.ts'
import { UNDECIDED } from './transitions.ts'

export type Payment = Row<'payments'>

type Capturing = Pick<OpenedProvider, 'capture'>

/** Whether stock is reserved for a payment. */
export const isReserved = ({
  state,
  reserved_until,
}: Pick<Payment, 'state' | 'reserved_until'>): boolean =>
  state === 'created' && reserved_until !== null

/**
 * Until when a row that a job has taken is its own: longer than any provider is waited for, and
 * rounded to what a Date holds, so that the job can compare it.
 */
export const leaseEnd = () => sql<Date>`date_trunc('milliseconds', ${secondsFromNow(60)})`

export const selectPayment = (db: Database, providerOrderId: string) =>
  db
    .selectFrom('payments')
    .where('provider_order_id', '=', providerOrderId)
    .selectAll()
    .executeTakeFirst()

/**
 * Selects and locks a payment: others that want to decide on it wait until the transaction ends. Its buyer
 * is locked before, so that a decision and the closing of the account lock in the same order.
 */
export const lockPayment = (tx: Database, providerOrderId: string) =>
  tx
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .where('provider_order_id', '=', providerOrderId)
    .selectAll('payments')
    // rows are locked in the order of these clauses
    .forKeyShare('users')
    .forUpdate('payments')
    .executeTakeFirst()

/** Selects and locks a payment by the shop's own id. */
export const lockPaymentById = (tx: Database, id: string) =>
  tx.selectFrom('payments').where('id', '=', id).selectAll().forUpdate().executeTakeFirst()

/** The payment, or the surplus, with this money. */
export const selectByProviderPayment = (db: Database, providerPaymentId: string) =>
  db
    .selectFrom('payments')
    .where('provider_payment_id', '=', providerPaymentId)
    .selectAll()
    .executeTakeFirst()

/** Whether the buyer has closed the account. Waits for an account that is being closed. */
export async function isAccountClosed(tx: Database, userId: string): Promise<boolean> {
  const buyer = await tx
    .selectFrom('users')
    .select('closed_at')
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  return buyer.closed_at !== null
}

/** Money at the provider: its id, and the captured amount where the provider has confirmed it. */
export type Money = {
  id: string
  captured?: Amount | undefined
  /** Whether it is only authorised, as far as the shop knows: then nothing has to be refunded. */
  isAuthorised?: boolean
}

const moneyColumns = ({ id, captured }: Money) => ({
  provider_payment_id: id,
  received_at: sql<Date>`coalesce(received_at, now())`,
  ...(captured && {
    confirmed_at: sql<Date>`now()`,
    paid_minor: captured.amountMinor,
    paid_currency: captured.currency,
  }),
})

/** Stores money that came in for a payment, before it is decided on. It is polled from now on. */
export const storeMoney = (tx: Database, id: string, money: Money, retrySeconds: number) =>
  tx
    .updateTable('payments')
    .set({ ...moneyColumns(money), attempts: 0, last_error: null })
    .set({ next_attempt_at: secondsFromNow(retrySeconds) })
    .where('id', '=', id)
    .execute()

/** The columns of a payment for which no money came in. */
export const NO_MONEY = {
  provider_payment_id: null,
  received_at: null,
  confirmed_at: null,
  paid_minor: null,
  paid_currency: null,
  refunded_minor: 0,
}

/** Takes undecided money off a payment. */
export const removeMoney = (tx: Database, id: string) =>
  tx
    .updateTable('payments')
    .set(NO_MONEY)
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .execute()

/** The state of money without an order: to be refunded, or never captured, unless it is all the same. */
const refusedState = ({ isAuthorised }: Money) => (isAuthorised ? 'failed' : 'refund_pending')

/** Refuses the money of a payment: it has no order. The provider is asked at once whether it was captured. */
export const refuseMoney = (tx: Database, id: string, money: Money, refusal: Refusal) =>
  tx
    .updateTable('payments')
    .set({ ...moneyColumns(money), ...refusal, issue: null, attempts: 0, last_error: null })
    .set({ state: refusedState(money), next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .execute()

type Surplus = {
  /** The shop's id of the new row. */
  id: string
  of: Payment
  money: Money
  refusal: Refusal
}

/** Stores refused money that is not the payment's own, or is no longer. */
export const insertSurplus = (tx: Database, { id, of, money, refusal }: Surplus) =>
  tx
    .insertInto('payments')
    .values({
      id,
      user_id: of.user_id,
      surplus_of: of.id,
      provider: of.provider,
      public_key: of.public_key,
      test: of.test,
      amount_minor: of.amount_minor,
      currency: of.currency,
      ...moneyColumns(money),
      ...(of.provider_payment_id === money.id
        ? { received_at: of.received_at, refunded_minor: of.refunded_minor }
        : { received_at: sql<Date>`now()` }),
      ...refusal,
      state: refusedState(money),
      // its payment is polled for it
      next_attempt_at: money.isAuthorised ? null : sql`now()`,
    })
    .execute()

/** The money of a payment that has some; its provider may be one that captures each payment at once. */
export const ownMoney = (payment: Payment, id: string, provider?: Capturing): Money => ({
  id,
  captured:
    payment.paid_minor === null
      ? undefined
      : {
          amountMinor: payment.paid_minor,
          currency: payment.paid_currency ?? payment.currency,
        },
  isAuthorised: payment.confirmed_at === null && provider?.capture !== undefined,
})

type Confirmation = { id: string; amountMinor: number; currency: string; isExpected: boolean }

/**
 * The provider itself confirms the capture of known money, and its amount; false when it had done so
 * before. Money that was never captured becomes refundable. Money for a cancelled order is left to
 * the merchant.
 */
export function confirmCapture(
  tx: Database,
  { id, isExpected, amountMinor, currency }: Confirmation,
): Promise<boolean> {
  const issue = sql<'amount_mismatch' | 'paid_cancelled' | null>`case
    when refusal is not null or state in ('created', 'expired', 'failed') then null
    when exists (select from orders where orders.payment_id = payments.id and status = 'cancel')
      then 'paid_cancelled'
    when not ${isExpected}::boolean then 'amount_mismatch' end`
  return changesRow(
    tx
      .updateTable('payments')
      .set({ issue, confirmed_at: sql`now()`, resolved_at: null, resolution_note: null })
      .set({ paid_minor: amountMinor, paid_currency: currency })
      .set({
        state: sql`case state when 'failed' then 'refund_pending' else state end`,
        next_attempt_at: sql`case state when 'failed' then now() else next_attempt_at end`,
      })
      .where('id', '=', id)
      .where('confirmed_at', 'is', null)
      // a refund that the provider has accepted knows the amount
      .where('refund_accepted', '=', false)
      .where(({ or, eb }) => or([eb('state', '!=', 'refunded'), eb('refusal', 'is', null)])),
  )
}

/** Whether a payment waits for money, or for the provider to confirm its money. */
const isOpen = sql<boolean>`(state in ('created', 'expired')
  or state = 'failed' and provider_payment_id is null
  or state = 'captured' and confirmed_at is null)`

/** The next poll of a payment: an open one is polled more often. */
export const nextPoll = ({ open, decided }: PollSchedule) => sql<Date | null>`
  case when ${isOpen} then ${secondsFromNow(open)} else ${secondsFromNow(decided)} end`

/** Starts the polling anew, after money came in or was confirmed. */
export const restartPolling = (tx: Database, id: string, retrySeconds: number) =>
  tx
    .updateTable('payments')
    .set({
      attempts: 0,
      last_error: null,
      next_attempt_at: nextPoll(pollSchedule(retrySeconds, 0)),
    })
    .where('id', '=', id)
    .where('state', '!=', 'refund_pending')
    .execute()

/** Runs the work in a savepoint: when it throws, its writes are undone and the transaction goes on. */
export async function inSavepoint(tx: Database, work: () => Promise<void>): Promise<void> {
  await sql`savepoint work`.execute(tx)
  try {
    await work()
  } catch (error) {
    await sql`rollback to savepoint work`.execute(tx)
    throw error
  }
}

/** The names of payments in the history: the buyer, and the order. */
export const AUDITED_PAYMENTS: AuditedRows = {
  payments: {
    name: sql`(select users.name || coalesce(', order ' || number, '')
      from payments join users on users.id = user_id left join orders on payment_id = payments.id
      where payments.id = audit_log.row_id)`,
    currency: sql`(select coalesce(paid_currency, currency) from payments
      where id = audit_log.row_id)`,
  },
  unknown_payments: {
    name: auditedColumn('unknown_payments', 'provider_payment_id'),
    currency: auditedColumn('unknown_payments', 'currency'),
  },
}
