import { type Finding, ok, problem } from './finding.ts'

/** The largest tolerated difference: sessions, reservations and refunds depend on the clock. */
const MAX_SECONDS = 30

/** Compares this machine's clock with a remote one, which was read between two local times. */
export function compareClocks(
  whose: string,
  theirs: Date,
  [requestedAt, answeredAt]: [number, number],
): Finding {
  const seconds = Math.max(requestedAt - theirs.getTime(), theirs.getTime() - answeredAt, 0) / 1000
  const difference = `${Math.round(seconds)} s apart from that of ${whose}`
  if (seconds <= MAX_SECONDS) return ok('Clock', difference)
  return problem(
    'Clock',
    difference,
    'Let NTP set the clocks of both, e.g. by systemd-timesyncd or chrony.',
  )
}
