import { atFirstUse } from './at-first-use.ts'

const format = atFirstUse(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
)

/** A day, such as 2026-11-21, as text: November 21, 2026. */
export const formatDay = (day: string): string => format().format(new Date(`${day}T00:00:00Z`))
