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

/** The sales of a minute, and the e-mails that wait a minute later. */
export type Minute = { name: string; perSecond: number; waiting: number; sent: number }

type Facts = {
  version: string
  statements: number
  /** The measured checkout first. */
  minutes: Minute[]
  workers: number
  rounds: number
  seconds: number
  warmUpSeconds: number
  /** The commit of the other checkout. */
  other?: string | undefined
}

const BUYERS = 16
/** The least share of pgbench's plain orders. */
const PLAIN_SHARE = 0.14
const MAX_STATEMENTS = 6

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

function targetsOf(all: Measured[], { statements, minutes: [minute] }: Facts): Target[] {
  const some = all.find(({ buyers }) => buyers === BUYERS)
  if (!some || !minute) return []
  const rates = ratesOf(some.shop)
  const share = medianRatio(rates, some.plain)
  const purchases = `purchases on PostgreSQL with ${BUYERS} buyers`
  return [
    {
      measure: `${purchases}, of plain orders by pgbench`,
      target: `≥ ${PLAIN_SHARE}`,
      measured: `${share.toFixed(3)} (${median(rates).toFixed(1)} a second)`,
      reached: share >= PLAIN_SHARE,
    },
    {
      measure: `${purchases}: e-mails that wait a minute after a minute of them`,
      target: '0',
      measured: `${minute.waiting} (${minute.sent} sent)`,
      reached: minute.waiting === 0 && minute.sent > 0,
    },
    {
      measure: 'statements of a purchase',
      target: `≤ ${MAX_STATEMENTS}`,
      measured: String(statements),
      reached: statements <= MAX_STATEMENTS,
    },
  ]
}

const besides = (other: string | undefined) =>
  other ? `the shop of commit ${other} with a database of its own, ` : ''

const minutesTable = (minutes: Minute[]) =>
  table(
    ['shop', 'purchases a second', 'e-mails sent', 'e-mails that wait'],
    minutes.map(({ name, perSecond, sent, waiting }) => [
      name,
      perSecond.toFixed(1),
      String(sent),
      String(waiting),
    ]),
  )

const textOf = (
  all: Measured[],
  { version, statements, minutes, workers, rounds, seconds, warmUpSeconds, other }: Facts,
) =>
  [
    `A purchase starts a payment for a cart of two products, pays it in the sandbox, verifies it, and reads the order from the answer: two requests and ${statements} statements. The shop sends its e-mail by SMTP to a server that accepts everything. A figure is the median of ${rounds} rounds in which the shop, ${besides(other)}and two scripts of \`pgbench\` take turns, with as many connections as buyers: ${seconds} s of purchases, counted when the shop sends e-mails, too, and 1 s of each script. Before another side takes its turn, the shop sends the e-mails that are left, for 5 s at most. A ratio is the median of the ratios of the rounds. "A common product": one of the two products is the same in all carts. "Same statements" are those of a real purchase, without its e-mail, recorded before and sent as the shop sends them, prepared once a connection, for other buyers and products each time. A "plain order" is one transaction that inserts an order, inserts a line and updates the stock, with prepared statements. PostgreSQL ${version} is durable (\`fsync\` on). A shop has ${workers} worker processes with their background jobs, a thousand products and a thousand buyers. The buyers and the SMTP server run on the same cores. Before the first round each shop sells for ${warmUpSeconds} s, and the tables of all sides are analysed, as autovacuum does.`,
    table(headerOf(other), all.map(rowOf)),
    `A minute of ${BUYERS} buyers, and the shop's e-mails a minute later:`,
    minutesTable(minutes),
  ].join('\n\n')

export const reportOf = (all: Measured[], facts: Facts): Result => ({
  text: textOf(all, facts),
  targets: targetsOf(all, facts),
})
