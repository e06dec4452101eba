import type { Line } from './report.ts'

/** Why the exit code of a run must not be 0. A skipped fault counts unless it is allowed. */
export function complaintsAbout(lines: Line[], { allowSkipped }: { allowSkipped: boolean }) {
  const lost = lines.filter(({ outcome }) => 'losses' in outcome && outcome.losses.length > 0)
  const skipped = lines.filter(({ outcome }) => 'skipped' in outcome)
  const named = (some: Line[]) => some.map(({ name }) => name).join('; ')
  return [
    ...(lost.length > 0 ? [`Something was lost: ${named(lost)}.`] : []),
    ...(skipped.length > 0 && !allowSkipped
      ? [`Not tried here: ${named(skipped)}. With --allow-skipped that is no failure.`]
      : []),
  ]
}
