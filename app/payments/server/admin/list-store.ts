/** The back office's list of payments: their captures, and those that were started. */
import { sql } from 'kysely'
import {
  PAYMENT_STATES,
  type PaymentFilter,
  type PaymentState,
  URGENT_STATES,
} from '#app/payments/admin-contract.ts'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import type { Database } from '#db/schema.ts'

type Page = { limit: number; offset: number }

/** A listed payment; money for an unknown order has no payment and no buyer. */
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
  /** Of an unpaid order: the day until which it is to be paid. */
  due_date: string | null
  is_reminded: boolean
  resolved_at: Date | null
  resolution_note: string | null
}

/** Captures of which one has the state `order_refunded`. */
const REFUNDED = sql`select distinct capture_id as id from refunds where state = 'done'`

/** Captures of which one has another state that needs nobody, but `paid`. */
const UNUSUAL = sql`
  select id from captures
    where purpose <> 'order' or issue is not null or voided_at is not null or confirmed_at is null
  union select capture_id from refunds where state in ('pending', 'accepted', 'failed')`

/** The captures in a state, newest first: by the offsets no more are read than the page needs, each by its id. */
const capturesIn = (state: PaymentState) => sql`
  select candidates.id, listed_at, state
  from (
    select id from (${state === 'order_refunded' ? REFUNDED : UNUSUAL}) as unsorted order by id desc offset 0
  ) as candidates
  cross join lateral (
    select listed_at, state from capture_overview where capture_overview.id = candidates.id offset 0
  ) as overview
  where state = ${state}`

/** The payments of a filter; all of them are those of three views. */
const filtered = (filter: PaymentFilter) => {
  if (filter === 'needs_attention') return sql`select * from payments_needing_attention`
  // also those whose day has passed, which are still owed
  if (filter === 'owed') return sql`select * from owed_overview`
  // most payments are paid: the planner assumes so of a boolean, and reads the page by its time
  if (filter === 'paid')
    return sql`select * from capture_overview where case state when 'paid' then true else false end`
  if (filter === 'started') return sql`select * from started_overview`
  return URGENT_STATES.some((state) => state === filter)
    ? sql`select * from payments_needing_attention where state = ${filter}`
    : capturesIn(filter)
}

const newest = (ends: number) => sql`order by id desc limit ${ends}::bigint`

/**
 * The newest payments of a filter, up to the end of the page; without one, of all. Ids are UUIDv7: newest
 * first is by the time of the start, or of the arrival of money.
 */
const listed = (filter: PaymentFilter | undefined, { limit, offset }: Page) => {
  const ends = limit + offset
  if (filter === 'needs_attention') return filtered(filter)
  if (filter) return sql`${filtered(filter)} ${newest(ends)}`
  return sql`(select * from capture_overview ${newest(ends)})
    union all (select * from started_overview ${newest(ends)})
    union all (select * from owed_overview ${newest(ends)})`
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
    select coalesce(provider_payment_id, listed.id::text) as id,
      coalesce(payments.id, listed.id) as payment_id, listed.state as listed_state, listed_at,
      orders.id as order_id, orders.number as order_number, users.id as user_id, users.name, users.email,
      coalesce(captures.amount_minor, 
        payments.amount_minor - (select paid_minor from money_of(payments.id))) as paid_minor,
      coalesce(captures.currency, payments.currency) as paid_currency, refunded_minor,
      coalesce(payments.provider_order_id, captures.provider_order_id, '') as provider_order_id,
      provider_payment_id, refusal, failure,
      case when trying.id is null then coalesce(payments.attempts, 0) else trying.attempts end as attempts,
      case when trying.id is null then payments.last_error else trying.last_error end as last_error,
      case when trying.id is null then payments.next_attempt_at else trying.next_attempt_at end
        as next_attempt_at,
      case when quote is null then received_at end as unclaimed_since,
      case when payments.state = 'open' then reserved_until end as reserved_until,
      case when payments.state = 'owed' then ${dayOf(sql.ref('due_at'))}::text end as due_date,
      reminded_at is not null as is_reminded,
      resolved_at, resolution_note
    from listed
      left join captures on captures.id = listed.id
      left join payments on payments.id = coalesce(captures.payment_id, listed.id)
      left join users on users.id = payments.user_id
      left join orders on orders.payment_id = payments.id and coalesce(purpose, 'order') = 'order'
      left join refunds as trying on trying.capture_id = captures.id and trying.next_attempt_at is not null
      cross join lateral refunds_of(captures.id) as refunded
    order by ${urgency} listed.id desc`.execute(db)
  return rows
}

/** The states of what was started, and not paid yet: all others are those of a capture. */
const UNPAID = ['started', 'owed', 'overdue']

/** The number of a filter's payments. Most are paid: what is not is counted faster. */
const numberOf = (filter: PaymentFilter | undefined) => {
  if (filter === 'paid')
    return sql`(select count(*) from captures) - (select count(*) from payment_exceptions
      where state <> all(${UNPAID}::text[]))`
  if (filter) return sql`(select count(*) from (${filtered(filter)}) as counted)`
  return sql`(select count(*) from captures) + (select count(*) from started_overview)
    + (select count(*) from owed_overview)`
}

/** How many payments a filter has. */
export async function countPayments(
  db: Database,
  filter: PaymentFilter | undefined,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select (${numberOf(filter)})::integer as total`.execute(db)
  return rows[0]?.total ?? 0
}
