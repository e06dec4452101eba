function formatIn(timeZone?: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  } catch (error) {
    // a zone that the database has, and this browser has not
    if (!(error instanceof RangeError)) throw error
    return formatIn()
  }
}

/** In the browser's zone until that of the shop is known. The server renders no page of the back office. */
let zone: string | undefined
let dateTime = formatIn()

/** Shows all times in a zone: that of the shop, which the frame loads before its pages. */
export function showTimesIn(timeZone: string) {
  if (timeZone === zone) return
  zone = timeZone
  dateTime = formatIn(timeZone)
}

/** Today in the shop's zone, as in ISO 8601, which is how Swedish writes a day. */
export const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: zone })

export const formatTime = (at: string) => dateTime.format(new Date(at))

export const Time = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} className={className}>
    {formatTime(at)}
  </time>
)

/** The time of the next attempt; an overdue one is in progress. */
export const nextAttempt = (at: string | null) =>
  at === null || Date.parse(at) <= Date.now() ? 'now' : `at ${formatTime(at)}`
