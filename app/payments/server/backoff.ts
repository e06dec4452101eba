/** Schedules of polls and retries. */

const HOUR = 60 * 60
const MAX_PAUSE_SECONDS = 6 * HOUR

/**
 * With a first pause of a minute, polling ends after almost six days: a bank may complete an attempt that
 * its provider has reported as failed for up to five.
 */
const MAX_POLL_ATTEMPTS = 11
const MAX_POLL_PAUSE_SECONDS = 24 * HOUR

/** Polls of a settled payment, in seconds: they find a second payment of the same order. */
const SETTLED_POLLS = [6 * HOUR, 3 * 24 * HOUR]

/** Seconds to wait after so many attempts: `first`, doubled with each attempt, at most six hours. */
export const backoffSeconds = (first: number, attempts: number): number =>
  Math.min(first * 2 ** attempts, MAX_PAUSE_SECONDS)

/** Seconds until the next poll, most often of an abandoned cart: `first`, fourfold with each attempt, at most a day. */
const pollPause = (first: number, attempts: number): number =>
  Math.min(first * 4 ** attempts, MAX_POLL_PAUSE_SECONDS)

/** Seconds until the next poll of a payment, as long as it is open, and afterwards. */
export type PollSchedule = { open: number | null; decided: number | null }

/** The schedule after so many polls; null where polling has ended. */
export const pollSchedule = (retrySeconds: number, attempts: number): PollSchedule => ({
  open: attempts < MAX_POLL_ATTEMPTS ? pollPause(retrySeconds, attempts) : null,
  decided: SETTLED_POLLS[attempts] ?? null,
})
