import { sql } from 'kysely'

/** The beginning of a day (such as 2026-11-21) in UTC, or of a day this many days later. */
export const startOfDay = (day: string, later = 0) =>
  sql<Date>`(${day}::date + ${later}::integer)::timestamp at time zone 'UTC'`
