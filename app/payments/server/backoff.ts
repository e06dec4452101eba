/** Schedules of polls and retries. */

const HOUR = 60 * 60
const LONGEST_PAUSE_SECONDS = 6 * HOUR

/** With a first pause of a minute, polling ends after about three days. */
const MAX_POLL_ATTEMPTS = 20

/** Polls of a settled payment, in seconds: they find a second payment of the same order. */
const SETTLED_POLLS = [6 * HOUR, 3 * 24 * HOUR]

/** Seconds to wait after so many attempts: `first`, doubled with each attempt, at most six hours. */
export const backoffSeconds = (first: number, attempts: number): number =>
  Math.min(first * 2 ** attempts, LONGEST_PAUSE_SECONDS)

/** Seconds until the next poll of a payment, as long as it is open, and afterwards. */
export type PollSchedule = { open: number | null; decided: number | null }

/** The schedule after so many polls; null where polling has ended. */
export const pollSchedule = (retrySeconds: number, attempts: number): PollSchedule => ({
  open: attempts < MAX_POLL_ATTEMPTS ? backoffSeconds(retrySeconds, attempts) : null,
  decided: SETTLED_POLLS[attempts] ?? null,
})
