import { type RawBuilder, sql } from 'kysely'

/** The time zone of the shop, in which its days begin; read once a statement. */
export const TIME_ZONE = sql<string>`coalesce((select time_zone from settings where name = 'shop'), 'UTC')`

/** The beginning of a day (such as 2026-11-21) in the shop's time zone, or of a day this many days later. */
export const startOfDay = (day: string | RawBuilder<unknown>, later = 0) =>
  sql<Date>`(${day}::date + ${later}::integer)::timestamp at time zone ${TIME_ZONE}`

/** The day of a moment in the shop's time zone. */
export const dayOf = (moment: RawBuilder<unknown>) =>
  sql<string>`(${moment} at time zone ${TIME_ZONE})::date`
