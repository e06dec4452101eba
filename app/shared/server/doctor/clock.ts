import { type Finding, good, wrong } from './finding.ts'

/** Sessions, holds and refunds go by the clock; a minute is more than any of them forgives. */
const MAX_SECONDS = 30

/** Compares the clock of this machine with somebody else's, asked between two moments of ours. */
export function compareClocks(
  whose: string,
  theirs: Date,
  [requestedAt, answeredAt]: [number, number],
): Finding {
  const seconds = Math.max(requestedAt - theirs.getTime(), theirs.getTime() - answeredAt, 0) / 1000
  const difference = `${Math.round(seconds)} s apart from that of ${whose}`
  if (seconds <= MAX_SECONDS) return good('Clock', difference)
  return wrong(
    'Clock',
    difference,
    'Let NTP set the clocks of both, e.g. by systemd-timesyncd or chrony.',
  )
}
