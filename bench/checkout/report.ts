/** The report of the checkout benchmark: its table, and what it aims at. */
import type { Result, Target } from '../part.ts'
import { median, medianRatio } from '../statistics.ts'
import { table } from '../table.ts'
import type { PurchaseSpeed } from './buyers.ts'

/** Buyers at the same time, who buy random products, or have one product in common. */
export type Case = { buyers: number; isSameProduct: boolean }

/** The rates of the rounds. `other` is empty where no other checkout is measured. */
export type Measured = Case & {
  shop: PurchaseSpeed[]
  other: PurchaseSpeed[]
  replay: number[]
  plain: number[]
}

type Facts = {
  version: string
  statements: number
  workers: number
  rounds: number
  seconds: number
  warmUpSeconds: number
  /** The commit of the other checkout. */
  other?: string | undefined
}

const BUYERS = 16
const MANY = 64
/** The least share of pgbench's plain orders. */
const PLAIN_SHARE = 0.1
/** The least ratio to the purchases of the first edition. */
const OTHER_RATIO = 5
/** The least ratio of purchases with a common product to those of random products. */
const SAME_RATIO = 0.7

const ratesOf = (speeds: PurchaseSpeed[]) => speeds.map(({ perSecond }) => perSecond)

const headerOf = (other: string | undefined) => [
  'buyers',
  'purchases a second',
  'p50, ms',
  'p99, ms',
  'load generator',
  ...(other ? [`${other}: purchases a second`, 'ratio'] : []),
  'same statements a second',
  'ratio',
  'plain orders a second',
  'ratio',
]

function rowOf({ buyers, isSameProduct, shop, other, replay, plain }: Measured): string[] {
  const of = (pick: (speed: PurchaseSpeed) => number) => median(shop.map(pick))
  const rates = ratesOf(shop)
  const others = ratesOf(other)
  return [
    `${buyers}${isSameProduct ? ', a common product' : ''}`,
    median(rates).toFixed(1),
    of(({ p50 }) => p50).toFixed(1),
    of(({ p99 }) => p99).toFixed(1),
    of(({ generatorCore }) => generatorCore).toFixed(2),
    ...(others.length > 0
      ? [median(others).toFixed(1), medianRatio(rates, others).toFixed(2)]
      : []),
    median(replay).toFixed(1),
    medianRatio(rates, replay).toFixed(2),
    median(plain).toFixed(1),
    medianRatio(rates, plain).toFixed(3),
  ]
}

/** A ratio that has to be at least so large. */
const atLeast = (measure: string, least: number, ratio: number, rate: number): Target => ({
  measure,
  target: `≥ ${least}`,
  measured: `${ratio.toFixed(2)} (${rate.toFixed(1)} a second)`,
  reached: ratio >= least,
})

function targetsOf(all: Measured[], other: string | undefined): Target[] {
  const find = (buyers: number, isSameProduct: boolean) =>
    all.find((one) => one.buyers === buyers && one.isSameProduct === isSameProduct)
  const some = find(BUYERS, false)
  const many = find(MANY, false)
  const same = find(MANY, true)
  if (!some || !many || !same) return []
  const rates = ratesOf(some.shop)
  const rate = median(rates)
  const ofMany = median(ratesOf(many.shop))
  const ofSame = median(ratesOf(same.shop))
  const purchases = 'purchases on PostgreSQL with'
  const plain = medianRatio(rates, some.plain)
  const targets = [
    atLeast(`${purchases} ${BUYERS} buyers, of plain orders by pgbench`, PLAIN_SHARE, plain, rate),
    atLeast(`${purchases} ${MANY} buyers, of ${BUYERS} buyers`, 1, ofMany / rate, ofMany),
    atLeast(
      `${purchases} ${MANY} buyers of a common product, of random products`,
      SAME_RATIO,
      ofSame / ofMany,
      ofSame,
    ),
  ]
  if (!other) return targets
  const ratio = medianRatio(rates, ratesOf(some.other))
  const compared = `${purchases} ${BUYERS} buyers, of commit ${other}`
  return [atLeast(compared, OTHER_RATIO, ratio, rate), ...targets]
}

const besides = (other: string | undefined) =>
  other ? `the shop of commit ${other} with a database of its own, ` : ''

const textOf = (
  all: Measured[],
  { version, statements, workers, rounds, seconds, warmUpSeconds, other }: Facts,
) =>
  [
    `A purchase starts a payment for a cart of two products, pays it in the sandbox, verifies it, and reads the order from the answer: two requests and ${statements} statements. A figure is the median of ${rounds} rounds in which the shop, ${besides(other)}and two scripts of \`pgbench\` take turns, with as many connections as buyers: ${seconds} s of purchases, and 1 s of each script. A ratio is the median of the ratios of the rounds. "A common product": one of the two products is the same in all carts. "Same statements" are those of a real purchase, recorded before, sent without preparation for other buyers and products each time. A "plain order" is one transaction that inserts an order, inserts a line and updates the stock, with prepared statements. PostgreSQL ${version} is durable (\`fsync\` on). A shop has ${workers} worker processes with their background jobs, a thousand products and a thousand buyers. The buyers run on the same cores. Before the first round each shop sells for ${warmUpSeconds} s, and the tables of all sides are analysed, as autovacuum does.`,
    table(headerOf(other), all.map(rowOf)),
  ].join('\n\n')

export const reportOf = (all: Measured[], facts: Facts): Result => ({
  text: textOf(all, facts),
  targets: targetsOf(all, facts.other),
})
