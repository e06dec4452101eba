const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
export const formatTime = (at: string) => dateTime.format(new Date(at))

export const Time = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} className={className}>
    {formatTime(at)}
  </time>
)

/** The time of the next attempt; an overdue one is in progress. */
export const nextAttempt = (at: string | null) =>
  at === null || Date.parse(at) <= Date.now() ? 'now' : `at ${formatTime(at)}`
