import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'

type Slice = { userId: string; after: string | null; limit: number }
/** A page of a section in key order: the rows after a key, or the first ones after null. */
export type Page = (db: Database, slice: Slice) => Promise<{ key: string; item: object }[]>

const pageOf =
  (select: (slice: Slice) => RawBuilder<{ key: string; item: object }>): Page =>
  async (db, slice) =>
    (await select(slice).execute(db)).rows

/** Major units, as in the API. */
const money = (column: string) => sql`round(${sql.ref(column)} / 100.0, 2)`

const lineOf = sql`jsonb_build_object(
  'product', line.product_id, 'name', line.name, 'quantity', line.quantity,
  'price', ${money('line.price_minor')}, 'discount', ${money('line.discount_minor')},
  'tax', ${money('line.tax_minor')})`

const adjustmentOf = sql`jsonb_build_object(
  'kind', adjustment.kind, 'label', adjustment.label, 'amount', ${money('adjustment.amount_minor')},
  'included', adjustment.is_included)`

const orders = pageOf(
  ({ userId, after, limit }) => sql`
    select things.id::text as key, jsonb_build_object(
      '_id', things.id, 'number', things.number, 'createdAt', things.created_at, 'status', things.status,
      'total', ${money('things.total_minor')}, 'currency', things.currency, 'payment', things.payment_id,
      'delivery', jsonb_build_object('name', buyer_name, 'email', buyer_email,
        'phone', buyer_phone, 'address', buyer_address, 'parts', things.delivery),
      'products', (select coalesce(jsonb_agg(${lineOf} order by line.position), '[]')
        from order_lines as line where line.order_id = things.id),
      'adjustments', (select coalesce(jsonb_agg(${adjustmentOf} order by adjustment.position), '[]')
        from order_adjustments as adjustment where adjustment.order_id = things.id)) as item
    from orders as things
    where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`,
)

/** Includes payments that were started and never paid, and a row of money that was not a payment's own. */
const payments = pageOf(
  ({ userId, after, limit }) => sql`
    select things.id::text as key, jsonb_build_object(
      '_id', things.id, 'surplusOf', surplus_of, 'startedAt', things.created_at, 'state', state,
      'cancelledAt', cancelled_at, 'amount', ${money('things.amount_minor')},
      'currency', things.currency, 'provider', provider, 'providerOrderId', provider_order_id,
      'failure', failure, 'delivery', things.delivery - 'text', 'providerPaymentId', provider_payment_id, 'receivedAt', received_at,
      'paid', case when received_at is not null
        then round(coalesce(things.paid_minor, things.amount_minor) / 100.0, 2) end,
      'refunded', ${money('things.refunded_minor')}, 'reason', coalesce(refusal, refund_reason),
      'products', (select coalesce(jsonb_agg(${lineOf}), '[]')
        from jsonb_to_recordset(things.quote -> 'lines') as line (product_id uuid, name text,
          quantity integer, price_minor integer, discount_minor bigint, tax_minor bigint)),
      'adjustments', (select coalesce(jsonb_agg(${adjustmentOf}), '[]')
        from jsonb_to_recordset(things.quote -> 'adjustments') as adjustment (kind text, label text,
          amount_minor bigint, is_included boolean))) as item
    from payments as things
    where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`,
)

/** Without the token hash, which is not personal data. */
const sessions = pageOf(
  ({ userId, after, limit }) => sql`
    select encode(token_hash, 'hex') as key,
      jsonb_build_object('createdAt', created_at, 'endsAt', expires_at) as item
    from sessions
    where user_id = ${userId}
      and (${after}::text is null or token_hash > decode(${after}::text, 'hex'))
    order by token_hash limit ${limit}`,
)

/** Networks are stored as keyed hashes, from which no address can be read. */
const knownNetworks = pageOf(
  ({ userId, after, limit }) => sql`
    select encode(network, 'hex') as key,
      jsonb_build_object('network', encode(network, 'hex'), 'lastSeenAt', seen_at) as item
    from known_networks
    where user_id = ${userId} and (${after}::text is null or network > decode(${after}::text, 'hex'))
    order by network limit ${limit}`,
)

/** Of admins: stored as keyed hashes, too. */
const knownBrowsers = pageOf(
  ({ userId, after, limit }) => sql`
    select encode(browser, 'hex') as key,
      jsonb_build_object('browser', encode(browser, 'hex'), 'lastSeenAt', seen_at) as item
    from known_browsers
    where user_id = ${userId} and (${after}::text is null or browser > decode(${after}::text, 'hex'))
    order by browser limit ${limit}`,
)

/** Links that were sent and not used yet, without their tokens. */
const links = pageOf(
  ({ userId, after, limit }) => sql`
    select encode(token_hash, 'hex') as key, jsonb_build_object(
      'purpose', purpose, 'createdAt', created_at, 'endsAt', expires_at) as item
    from account_tokens
    where user_id = ${userId}
      and (${after}::text is null or token_hash > decode(${after}::text, 'hex'))
    order by token_hash limit ${limit}`,
)

const emails = pageOf(
  ({ userId, after, limit }) => sql`
    select id::text as key, jsonb_build_object(
      '_id', id, 'kind', kind, 'recipient', recipient, 'order', order_id, 'facts', facts,
      'state', state, 'createdAt', created_at, 'sentAt', sent_at) as item
    from emails
    where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`,
)

/**
 * Audit log entries about the user and by the user. Entries about others contain only their kind.
 */
const history = pageOf(
  ({ userId, after, limit }) => sql`
    select id::text as key, jsonb_build_object(
      'at', at, 'by', case when actor_id = ${userId} then 'you' else actor_kind end,
      'action', action, 'kind', table_name, '_id', row_id,
      'before', case when table_name = 'users' then before end,
      'after', case when table_name = 'users' then after end) as item
    from audit_log
    where (row_id = ${userId} or actor_id = ${userId})
      and (${after}::bigint is null or id > ${after}::bigint)
    order by id limit ${limit}`,
)

/** The sections of the document, by name. */
export const SECTIONS: Record<string, Page> = {
  orders,
  payments,
  sessions,
  knownNetworks,
  knownBrowsers,
  links,
  emails,
  history,
}

/** The user's own columns for the document, without password and answer hashes. */
export const selectFacts = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['id as _id', 'name', 'email', 'phone', 'address', 'delivery', 'is_admin as admin'])
    .select(['created_at as createdAt', 'email_confirmed_at as emailConfirmedAt'])
    .executeTakeFirst()
