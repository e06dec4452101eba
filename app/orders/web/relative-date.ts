import { atFirstUse } from '#app/shared/model/at-first-use.ts'

const UNITS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

const words = atFirstUse(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }))

/** A date relative to now, in the largest unit that fits: "2 hours ago". */
export function relativeDate(date: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(date) - now) / 1000)
  const fitting = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  if (!fitting) return 'just now'
  const [unit, length] = fitting
  return words().format(Math.trunc(seconds / length), unit)
}
