import { type RawBuilder, sql } from 'kysely'

/** By the database's clock. */
export const secondsFromNow = (seconds: RawBuilder<unknown>) =>
  sql<Date>`now() + ${seconds} * interval '1 second'`

/** Longer than any provider is waited for: until then nobody else takes on what one has taken. */
export const LEASE = secondsFromNow(sql`60`)

const LONGEST_PAUSE = 6 * 60 * 60

/** The pause after so many tries: `first` seconds, then twice as long each time, to six hours. */
export const afterPause = (first: number, tries: RawBuilder<unknown>) =>
  secondsFromNow(
    sql`least(${first}::float * power(2, least(${tries}, 30)), ${LONGEST_PAUSE}::integer)`,
  )
