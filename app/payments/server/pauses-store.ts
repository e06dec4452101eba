import { type RawBuilder, sql } from 'kysely'

/** By the database's clock. */
export const secondsFromNow = (seconds: RawBuilder<unknown>) =>
  sql<Date>`now() + ${seconds} * interval '1 second'`

/**
 * Longer than any provider is waited for: until then nobody else takes on what one has taken. Exact
 * to what a Date can hold, so that its taker can tell that it is still theirs.
 */
export const LEASE = sql<Date>`date_trunc('milliseconds', ${secondsFromNow(sql`60`)})`

const LONGEST_PAUSE = 6 * 60 * 60
const DAY = 24 * 60 * 60

/** The pause after so many tries: `first` seconds, then twice as long each time, to `longest`. */
const afterGrowing = (first: number, tries: RawBuilder<unknown>, longest: number) =>
  secondsFromNow(sql`least(${first}::float * power(2, least(${tries}, 30)), ${longest}::integer)`)

/** The same, to six hours. */
export const afterPause = (first: number, tries: RawBuilder<unknown>) =>
  afterGrowing(first, tries, LONGEST_PAUSE)

/**
 * By a minute and pauses that double up to a day, this takes thirty days. What is counted are the
 * asks: of a clock that jumps a month ahead, days would believe that they are over.
 */
export const MOST_ASKS = 40

/** The same of what nobody was seen to pay, which is most of all that is asked about. */
const MOST_ASKS_OF_UNPAID = 19

/** One ask before the last of these. */
export const LAST_ASK_OF_UNPAID = MOST_ASKS_OF_UNPAID - 1

/** The pause after so many asks about what nobody was seen to pay. */
export const afterAskOfUnpaid = (first: number, asks: RawBuilder<unknown>) =>
  afterGrowing(first, asks, 4 * DAY)

/** When something is asked about that is worth no more than that. */
export const TOMORROW = secondsFromNow(sql`${DAY}::integer`)

/** When what is settled and captured is looked at once more. */
export const FIRST_LOOK = secondsFromNow(sql`${6 * 60 * 60}::integer`)

/** And for the last time: so long a bank may take to tell the provider of a try. */
export const LAST_LOOK = secondsFromNow(sql`${5 * DAY}::integer`)

/** Money that the provider has not said it has; what goes back, or never came, needs no saying. */
const isUnconfirmed = sql`captured_at is null and state not in ('refunding', 'refunded', 'never_came')`

export const UNCONFIRMED = sql<string>`select payment_id from provider_payments where ${isUnconfirmed}`

/** Of one payment: correlated, so that a purchase does not read every unconfirmed payment of the shop. */
const hasUnconfirmed = sql<boolean>`exists (
  select from provider_payments where payment_id = payments.id and ${isUnconfirmed})`

/** The pause after so many asks about money that is unconfirmed; null when no more is asked. */
export const afterAskOfUnconfirmed = (first: number, asks: RawBuilder<unknown>) =>
  sql<Date | null>`case when ${asks} < ${MOST_ASKS}::integer then ${afterGrowing(first, asks, DAY)} end`

/**
 * When a payment is asked about next after so many asks, null when no more. What is open is asked
 * about with growing pauses. What is settled and captured has two looks more, for a second payment
 * that nobody reported: some hours after, and when no bank will tell of an older try any more.
 */
export const nextAsk = (first: number, asks: RawBuilder<unknown>) => sql<Date | null>`
  case
    when ${hasUnconfirmed} then ${afterAskOfUnconfirmed(first, asks)}
    when payments.settled_at is null then
      case when ${asks} < ${MOST_ASKS_OF_UNPAID}::integer then ${afterAskOfUnpaid(first, asks)} end
    when ${asks} < 1 then ${FIRST_LOOK}
    when ${asks} < 2 then ${LAST_LOOK}
  end`
