/** Two transactions on two connections of PostgreSQL, in every order of their statements. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Failure } from '#app/shared/server/failure.ts'
import { onServer } from '../support/database.ts'
import { createDatabaseOn } from '../support/server-database.ts'
import { CONCURRENCY_BUGS } from './bugs.ts'
import { type Interleaver, openInterleaver, type Run } from './interleave.ts'
import { type Fixture, openFixture } from './pair-fixture.ts'
import { PAIRS } from './pairs.ts'
import { EARLY, openServerDatabase } from './story-database.ts'

/** More orders of one pair than this are not run; the number of each is reported. */
const MAX_ORDERS = 400

/** As an edit of the product does. */
const LOCKED_BY_EDIT = sql`select from products for update`

type Shop = Awaited<ReturnType<typeof openServerDatabase>>

let shop: Shop
let interleaver: Interleaver
let close: () => Promise<void>
const report: string[] = []

beforeAll(async () => {
  const url = process.env.DATABASE_URL
  if (!url) return
  const own = await createDatabaseOn(url)
  shop = await openServerDatabase(own.url)
  interleaver = await openInterleaver(own.url)
  close = async () => {
    await interleaver.close()
    await shop.close()
    await own.drop()
  }
})
afterAll(async () => {
  if (!onServer) return
  await close()
  process.stdout.write(`Orders of statements:\n${report.join('\n')}\n`)
})

const isWithQuote = ({ code, details }: Failure) => code !== 'price_changed' || details.quote

/** The failures of a run, at its end. */
async function* failuresAtEnd(fixture: Fixture, name: string, { outcomes }: Run) {
  const pair = PAIRS[name]
  if (!pair) throw new Error(`There is no pair ${name}.`)
  const { succeeding, orders, refunds, isQuoted = false } = pair.expected
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !(outcome.reason instanceof Failure))
      yield `fails: ${outcome.reason}`
    else if (outcome.status === 'rejected' && isQuoted && !isWithQuote(outcome.reason))
      yield `has no quote: ${outcome.reason}`
  }
  const succeeded = outcomes.filter(({ status }) => status === 'fulfilled').length
  if (!succeeding.includes(succeeded)) yield `${succeeded} succeed`
  const placed = await shop.db.selectFrom('orders').select('id').execute()
  if (!orders.includes(placed.length)) yield `${placed.length} orders`
  if (refunds !== undefined && fixture.provider.refunds.made() !== refunds)
    yield `${fixture.provider.refunds.made()} refunds`
  const held = await shop.db
    .selectFrom('coupon_uses')
    .innerJoin('coupons', 'coupons.id', 'coupon_id')
    .where('audience', '=', 'first_order')
    .select('user_id')
    .execute()
  if (held.length > 1) yield `${held.length} coupons for a first order are used`
  const late = await shop.db
    .selectFrom('emails')
    .innerJoin('users', 'users.id', 'user_id')
    .where('closed_at', 'is not', null)
    .select('kind')
    .execute()
  for (const { kind } of late) yield `an e-mail of a closed account: ${kind}`
}

/** Runs a pair in every order; answers how many there are, and the first that is wrong. */
async function inEveryOrder(name: string): Promise<{ orders: number; wrong: string | null }> {
  const pair = PAIRS[name]
  if (!pair) throw new Error(`There is no pair ${name}.`)
  let fixture: Fixture
  let broken: string[] = []
  let wrong: string | null = null
  const orders = await interleaver.everyOrder({
    max: pair.max ?? MAX_ORDERS,
    lock: pair.isEdited ? LOCKED_BY_EDIT : undefined,
    arrange: async () => {
      await shop.reset(pair.quantity)
      fixture = await openFixture(shop)
      broken = []
      return pair.arrange(fixture)
    },
    afterWrite: async () => {
      // a start ends the buyer's former reservation
      for (const { name: what } of await shop.violations()) if (what !== EARLY) broken.push(what)
    },
    isRight: async (run) => {
      for await (const one of failuresAtEnd(fixture, name, run)) broken.push(one)
      if (broken.length > 0) wrong = [...new Set(broken), ...run.log].join('\n  ')
      return wrong === null
    },
  })
  return { orders, wrong }
}

describe.runIf(onServer)('every order of the statements of', () => {
  it.each(Object.keys(PAIRS))('%s', async (name) => {
    const startedAt = performance.now()
    const { orders, wrong } = await inEveryOrder(name)
    const bounded = orders === (PAIRS[name]?.max ?? MAX_ORDERS) ? ', not all' : ''
    report.push(`  ${name}: ${orders}${bounded}, ${Math.round(performance.now() - startedAt)} ms`)
    expect(wrong).toBeNull()
    expect(orders).toBeGreaterThan(1)
  })

  it.each(Object.entries(CONCURRENCY_BUGS))(
    'finds a planted bug: %s',
    async (_what, { pair, ...bug }) => {
      if (bug.rewrite) interleaver.settings.rewrite = bug.rewrite
      if (bug.schema) await shop.exec(bug.schema.broken)
      const { wrong } = await inEveryOrder(pair)
      interleaver.settings.rewrite = (text) => text
      await shop.reset(1)
      if (bug.schema) await shop.exec(bug.schema.mended)
      expect(wrong).not.toBeNull()
    },
  )
})
