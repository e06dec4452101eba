import { sql } from 'kysely'
import type { Quote } from '#app/checkout/server/service.ts'
import { storedQuote } from '#app/checkout/server/stored-quote.ts'
import { couponsReserved } from '#app/coupons/server/uses.sql.ts'
import { isStockTaken, takeStockInStatement } from '#app/products/server/stock.sql.ts'
import { secondsFromNow } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, StoredAddress, StoredAgreement } from '#db/schema.ts'
import { before, PAYABLE } from './transitions.ts'

/** A payment to store; a quote makes it a reservation of `reservedMinutes`. */
export type NewPayment = {
  id: string
  userId: string
  provider: string
  publicKey: string | null
  /** The provider's order, where the shop chooses its id. */
  providerOrderId: string | null
  amountMinor: number
  currency: string
  test: boolean
  quote: Quote | null
  /** The delivery address with its text; null when the buyer gave none but that of the profile. */
  delivery: (StoredAddress & { text: string }) | null
  /** Null: the name of the account, at the address of the delivery. */
  billing: NewPayment['delivery']
  /** Null: its order is placed in the same transaction, so that nothing is reserved. */
  reservedMinutes: number | null
  /** The versions of the legal texts to which the buyer has agreed; null where nobody asked. */
  agreed: StoredAgreement | null
  /** Whether an order at the provider that was not paid may be paid by another attempt. */
  allowsRetries: boolean
  /**
   * The networks of the buyer's address, narrowest first, stored with a reservation; null where reservations of
   * networks are not limited.
   */
  networks: string[] | null
  /** Seconds until the provider is polled for the first time, once it has the order. */
  pollSeconds: number
}

/** Its columns, as a list of values in this order. */
const COLUMNS = sql`id, user_id, provider, public_key, provider_order_id, amount_minor, currency, test,
  quote, delivery, billing, network, networks, reserved_until, next_attempt_at, agreed_texts, agreed_at`

const storedJson = ({ quote }: NewPayment) => quote && JSON.stringify(storedQuote(quote))
/** Seconds until the reservation ends; null without one. */
const reservedSeconds = ({ quote, reservedMinutes }: NewPayment) =>
  quote && reservedMinutes !== null ? reservedMinutes * 60 : null

const agreedJson = ({ agreed }: NewPayment) => agreed && JSON.stringify(agreed)
const deliveryJson = ({ delivery }: NewPayment) => delivery && JSON.stringify(delivery)
const billingJson = ({ billing }: NewPayment) => billing && JSON.stringify(billing)

/** The network whose reservations yield: of IPv6 a /48, which may belong to one customer. */
const widestOf = ({ networks }: NewPayment) => networks?.at(-1) ?? null

const valuesOf = (payment: NewPayment) => sql`
  ${payment.id}::uuid, ${payment.userId}::uuid, ${payment.provider}::text,
  ${payment.publicKey}::text, ${payment.providerOrderId}::text, ${payment.amountMinor}::bigint,
  ${payment.currency}::text, ${payment.test}::boolean,
  ${storedJson(payment)}::jsonb, ${deliveryJson(payment)}::jsonb, ${billingJson(payment)}::jsonb,
  ${payment.quote && widestOf(payment)}::text, ${payment.quote && payment.networks}::text[],
  ${secondsFromNow(reservedSeconds(payment))},
  ${secondsFromNow(payment.providerOrderId === null ? null : payment.pollSeconds)},
  ${agreedJson(payment)}::jsonb, case when ${payment.agreed !== null}::boolean then now() end`

/** The contact of the buyer as `account`, locked: nothing is stored of an account that is closed, or being closed. */
const accountLocked = ({ userId }: NewPayment) => sql`
  account as (
    select contact_of(users) as contact from users
    where id = ${userId}::uuid and closed_at is null
    for key share
  )`

/** Stores a payment with the contact of its buyer; false, without any change, when the account is closed. */
export async function insertPayment(db: Database, payment: NewPayment): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with ${accountLocked(payment)}
    insert into payments (${COLUMNS}, buyer) select ${valuesOf(payment)}, contact from account`.execute(
    db,
  )
  return numAffectedRows > 0n
}

/**
 * Reserves the stock and the coupons of the quote, and stores the payment, in one statement; false,
 * without any change, when something is missing, a price has changed, the account is closed, or the buyer has
 * a reservation already, or an open payment of this amount, whose order at the provider may be the same.
 */
export async function insertReserved(
  db: Database,
  payment: NewPayment & { quote: Quote },
): Promise<boolean> {
  const { lines } = payment.quote
  const isFirst = sql<boolean>`exists (select from account) and not exists (select from payments
    where user_id = ${payment.userId}::uuid and state = 'open' and reserved_until is not null)
    and not exists (select from payments where user_id = ${payment.userId}::uuid and state = 'expired'
      and amount_minor = ${payment.amountMinor}::bigint)`
  const isTaken = isStockTaken(lines)
  const coupons = couponsReserved(payment, isFirst, isTaken)
  const { numAffectedRows = 0n } = await sql`
    ${PREPARED} with ${accountLocked(payment)}, ${coupons.locked}
    ${takeStockInStatement(lines, coupons.condition)}${coupons.reserved}
    insert into payments (${COLUMNS}, buyer)
    select ${valuesOf(payment)}, contact from account
    where ${isTaken}`.execute(db)
  return numAffectedRows > 0n
}

/** Stores the id of the provider's order; the payment is polled from then on. */
export const setProviderOrder = (
  db: Database,
  {
    id,
    providerOrderId,
    pollSeconds,
  }: { id: string; providerOrderId: string; pollSeconds: number },
) =>
  db
    .updateTable('payments')
    .set({ provider_order_id: providerOrderId, next_attempt_at: secondsFromNow(pollSeconds) })
    .where('id', '=', id)
    .execute()

/** The buyer has cancelled the payment. */
export const markCancelled = (tx: Database, id: string) =>
  tx.updateTable('payments').set({ cancelled_at: sql`now()` }).where('id', '=', id).execute()

const reservedBy = (db: Database, userId: string) =>
  db
    .selectFrom('payments')
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .where('reserved_until', 'is not', null)
    .select(['id', 'quote'])

/** The buyer's payment with a reservation. */
export const selectReserved = (db: Database, userId: string) =>
  reservedBy(db, userId).executeTakeFirst()

/** Selects and locks the buyer's payment with a reservation. */
export const lockReserved = (tx: Database, userId: string) =>
  reservedBy(tx, userId).forUpdate().executeTakeFirst()

/**
 * Selects and locks an open payment of the same buyer, cart, choices, addresses and amount, which no money
 * came in for: another attempt pays its order at the provider.
 */
export const lockSame = (tx: Database, payment: NewPayment) =>
  tx
    .selectFrom('payments')
    .where('user_id', '=', payment.userId)
    .where('state', 'in', PAYABLE)
    .where('provider', '=', payment.provider)
    .where('public_key', '=', payment.publicKey)
    .where('amount_minor', '=', payment.amountMinor)
    .where('currency', '=', payment.currency)
    .where(sql<boolean>`not exists (select from captures where payment_id = payments.id)`)
    .where(sql<boolean>`quote = ${storedJson(payment)}::jsonb
      and delivery is not distinct from ${deliveryJson(payment)}::jsonb
      and billing is not distinct from ${billingJson(payment)}::jsonb
      and agreed_texts is not distinct from ${agreedJson(payment)}::jsonb`)
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'provider_order_id as providerOrderId'])
    .where('provider_order_id', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

/** Makes an open payment a reservation again; the caller takes its stock. It is polled anew. */
export const reserveAgain = (tx: Database, id: string, payment: NewPayment) =>
  tx
    .updateTable('payments')
    .set({ state: 'open', reserved_until: secondsFromNow(reservedSeconds(payment)) })
    .set({ next_attempt_at: secondsFromNow(payment.pollSeconds), attempts: 0, last_error: null })
    .set({ network: widestOf(payment), networks: payment.networks })
    .set({ starts: sql<number>`starts + 1` })
    .where('id', '=', id)
    .where('state', 'in', ['open', ...before('payments', 'open')])
    .execute()

/** Locks one payment whose reservation has expired, and that no other transaction is ending. */
export const lockExpired = (tx: Database) =>
  tx
    .selectFrom('payments')
    .where('state', '=', 'open')
    .where('reserved_until', '<=', sql<Date>`now()`)
    .orderBy('reserved_until')
    .limit(1)
    .select('id')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** The orders that a buyer placed by a start alone in the last seconds, newest first. */
export const selectRecentPlaced = (
  db: Database,
  userId: string,
  { provider, amountMinor, seconds }: { provider: string; amountMinor: number; seconds: number },
) =>
  db
    .selectFrom('payments')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('amount_minor', '=', amountMinor)
    .where('state', 'in', ['owed', 'paid'])
    .where('created_at', '>', secondsFromNow(-seconds))
    .orderBy('id', 'desc')
    .select(['id', 'provider_order_id', 'currency', 'quote', 'delivery', 'billing'])
    .execute()

/** The payments of a buyer that a provider may still report money for, with their quotes. */
export const selectPayable = (db: Database, userId: string) =>
  db
    .selectFrom('payments')
    .where('user_id', '=', userId)
    .where(({ or, eb, and }) =>
      or([
        eb('state', '=', 'expired'),
        and([eb('state', '=', 'open'), eb('reserved_until', 'is not', null)]),
      ]),
    )
    .select(['id', 'quote'])
    .execute()

/** How many unpaid orders a buyer has, and the buyers of each of these networks, in their order. */
export async function countOwed(db: Database, userId: string, networks: string[]) {
  const { rows } = await sql<{ own: number; ofNetworks: number[] }>`
    select (select count(*) from payments where state = 'owed' and user_id = ${userId}::uuid)::integer as own,
      array(select (select count(*) from payments
          where state = 'owed' and (network = given.network or given.network = any(networks)))::integer
        from unnest(${networks}::text[]) with ordinality as given (network, ordinal) order by ordinal
      ) as "ofNetworks"`.execute(db)
  return rows[0] ?? { own: 0, ofNetworks: [] }
}

const CONTACTS = ['buyer', 'delivery', 'billing'] as const

/** Deletes the buyer's contact and the addresses of a user's payments: no order is placed from them any more. */
export const deleteContacts = (tx: Database, userId: string) =>
  tx
    .updateTable('payments')
    .set({ buyer: null, delivery: null, billing: null })
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or(CONTACTS.map((column) => eb(column, 'is not', null))))
    .execute()
