import { type Finding, good, wrong } from './finding.ts'

/** Sessions, holds and refunds go by the clock; a minute is more than any of them forgives. */
const MOST_SECONDS = 30

/** Compares the clock of this machine with somebody else's, asked between two moments of ours. */
export function compareClocks(
  whose: string,
  theirs: Date,
  [asked, answered]: [number, number],
): Finding {
  const apart = Math.max(asked - theirs.getTime(), theirs.getTime() - answered, 0) / 1000
  const said = `${Math.round(apart)} s apart from that of ${whose}`
  if (apart <= MOST_SECONDS) return good('Clock', said)
  return wrong(
    'Clock',
    said,
    'Let NTP set the clocks of both, e.g. by systemd-timesyncd or chrony.',
  )
}
