import { sql } from 'kysely'

/** When a day (as 2026-11-21) begins in UTC, or the one so many days later. */
export const startOfDay = (day: string, later = 0) =>
  sql<Date>`(${day}::date + ${later}::integer)::timestamp at time zone 'UTC'`
