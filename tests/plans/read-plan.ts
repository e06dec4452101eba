/** What PostgreSQL did for a statement, as `explain (analyze, format json)` tells. */
export type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/**
 * Tables with few rows, however many products there are: blocks are one for some hundred of them,
 * and vocabulary_changes is empty when the shop has counted it (tests/operation/word-count.test.ts).
 */
const SMALL = [
  ...['categories', 'category_slugs', 'product_counts', 'product_blocks'],
  'vocabulary_changes',
]

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const rowsOf = (plan: Plan) => plan['Actual Rows'] * plan['Actual Loops']

/** All rows that a node looked at, also those that it threw away. */
const readBy = (plan: Plan) =>
  rowsOf(plan) +
  ((plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
    plan['Actual Loops']

/** The scan whose rows a node gets as they are; none where they are merged or summed up first. */
function scanUnder({ Plans: below = [] }: Plan): Plan | undefined {
  const [only] = below
  if (below.length !== 1 || !only) return undefined
  return only['Relation Name'] ? only : scanUnder(only)
}

type Bounds = { read: number; sorted: number }

/** What of a plan, and of tables that are read from end to end, costs the more, the larger the shop. */
export function faultsIn(plan: Plan, scanned: string[], { read, sorted }: Bounds): string[] {
  const nodes = nodesOf(plan)
  const scans = nodes.filter((node) => node['Relation Name'])
  const total = scans.reduce((rows, node) => rows + readBy(node), 0)
  return [
    ...scanned.filter((table) => !SMALL.includes(table)).map((table) => `scans ${table}`),
    ...nodes
      .filter((node) => /Sort/.test(node['Node Type']))
      .map((node) => scanUnder(node))
      .filter((scan) => scan !== undefined && rowsOf(scan) > sorted)
      .map((scan) => `sorts ${rowsOf(scan ?? plan)} rows of ${scan?.['Relation Name']}`),
    ...(total > read ? [`reads ${total} rows`] : []),
  ]
}
