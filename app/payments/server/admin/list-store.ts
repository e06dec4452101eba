/** The back office's list of payments, with money for unknown orders. */
import { sql } from 'kysely'
import {
  PAYMENT_STATES,
  type PaymentFilter,
  type PaymentState,
} from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'

type Page = { limit: number; offset: number }

/** A listed payment; of money for an unknown order, which has no buyer. */
export type PaymentRow = {
  id: string
  /** The payment for which the money came in. */
  payment_id: string
  listed_state: PaymentState
  listed_at: Date
  order_id: string | null
  order_number: number | null
  user_id: string | null
  name: string | null
  email: string | null
  paid_minor: number
  paid_currency: string
  refunded_minor: number
  provider_order_id: string
  provider_payment_id: string | null
  refusal: string | null
  failure: string | null
  attempts: number
  last_error: string | null
  next_attempt_at: Date | null
  /** When undecided money came in whose cart is unknown. */
  unclaimed_since: Date | null
  reserved_until: Date | null
  resolved_at: Date | null
  resolution_note: string | null
}

/** The view with the payments of a filter, and its condition; all of them are those of two views. */
const filtered = (filter: PaymentFilter) => {
  if (filter === 'needs_attention') return sql`select * from payments_needing_attention`
  // most payments are paid: the planner assumes so of a boolean, and reads the page by its time
  if (filter === 'paid')
    return sql`select * from payment_overview where case state when 'paid' then true else false end`
  return sql`select * from payment_exceptions where state = ${filter}`
}

const newest = (ends: number) => sql`order by id desc limit ${ends}::bigint`

/**
 * The newest payments of a filter, up to the end of the page; without one, of all. Ids are UUIDv7: newest
 * first is by the time of the start, or of the arrival of money that no payment waited for.
 */
const listed = (filter: PaymentFilter | undefined, { limit, offset }: Page) => {
  const ends = limit + offset
  if (filter === 'needs_attention') return filtered(filter)
  if (filter) return sql`${filtered(filter)} ${newest(ends)}`
  return sql`(select * from payment_overview ${newest(ends)})
    union all (select * from unknown_payment_overview ${newest(ends)})`
}

/**
 * A page of the payments of a filter, or of all, newest first. Those that need attention: the most urgent
 * first, then the newest.
 */
export async function selectPayments(
  db: Database,
  filter: PaymentFilter | undefined,
  page: Page,
): Promise<PaymentRow[]> {
  const urgency =
    filter === 'needs_attention'
      ? sql`array_position(${[...PAYMENT_STATES]}::text[], listed.state),`
      : sql``
  const { rows } = await sql<PaymentRow>`
    with listed as (
      select * from (${listed(filter, page)}) as listed
      order by ${urgency} id desc
      limit ${page.limit}::integer offset ${page.offset}::bigint
    )
    select coalesce(payments.provider_payment_id, unknown.provider_payment_id, listed.id::text) as id,
      coalesce(payments.surplus_of, listed.id) as payment_id, listed.state as listed_state, listed_at,
      orders.id as order_id, orders.number as order_number, users.id as user_id, users.name, users.email,
      coalesce(paid_minor, payments.amount_minor, unknown.amount_minor) as paid_minor,
      coalesce(paid_currency, payments.currency, unknown.currency) as paid_currency,
      coalesce(refunded_minor, 0) as refunded_minor,
      coalesce(payments.provider_order_id,
        (select provider_order_id from payments as paid where paid.id = payments.surplus_of),
        unknown.provider_order_id, '') as provider_order_id,
      coalesce(payments.provider_payment_id, unknown.provider_payment_id) as provider_payment_id,
      refusal, failure, coalesce(attempts, 0) as attempts, last_error, next_attempt_at,
      case when quote is null then payments.received_at end as unclaimed_since,
      case when payments.state = 'created' then reserved_until end as reserved_until,
      coalesce(payments.resolved_at, unknown.resolved_at) as resolved_at,
      coalesce(payments.resolution_note, unknown.resolution_note) as resolution_note
    from listed
      left join payments on payments.id = listed.id
      left join unknown_payments as unknown on unknown.id = listed.id
      left join users on users.id = payments.user_id
      left join orders on orders.payment_id = payments.id
    order by ${urgency} listed.id desc`.execute(db)
  return rows
}

/** How many payments a filter has. */
export async function countPayments(
  db: Database,
  filter: PaymentFilter | undefined,
): Promise<number> {
  const counted = filter
    ? filtered(filter)
    : sql`select id from payment_overview
      union all select id from unknown_payment_overview`
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (${counted}) as counted`.execute(db)
  return rows[0]?.total ?? 0
}
