import { nodeProblem } from '#server/operation/node-version.ts'

/**
 * The first Node of each maintained major version that has the fixes of the last security release, and the day
 * on which this was compared with https://nodejs.org/en/blog/vulnerability. `engines` of package.json has them, too.
 */
export const FIXED_NODES = {
  checked: '2026-11-29',
  versions: ['22.23.4', '24.22.1', '26.12.1'],
}

const MAX_AGE_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** What the list says of a Node: a problem, or null; and a warning where the list itself is old. */
export function auditNode(now: number, version: string = process.versions.node) {
  const days = Math.floor((now - Date.parse(FIXED_NODES.checked)) / DAY_MS)
  const warning =
    days > MAX_AGE_DAYS
      ? `Node: the list of fixed versions is ${days} days old. Compare tools/fixed-nodes.ts with https://nodejs.org/en/blog/vulnerability.`
      : null
  return { problem: nodeProblem(version), warning }
}
