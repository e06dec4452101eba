import type { Line } from './report.ts'

/**
 * What a run is worth: why its exit code must not be 0, a sentence each. What could not be tried is
 * not survived, unless whoever asked for the run knew that before.
 */
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
