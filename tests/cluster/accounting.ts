import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Goods, Population } from '#tests/faults/fixtures.ts'
import { checkLedger } from '#tests/faults/ledger-check.ts'
import { contradictionsIn, selectStock } from '#tests/support/consistency.ts'
import type { FakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import { DELIVERY, IMPORT_ROWS, type Notes } from './admins.ts'

/** The knowledge of the clients and the provider, which the database must agree with. */
export type Truth = {
  population: Population
  provider: FakeRazorpay
  /** The orders that buyers know of, by payment. */
  confirmed: Map<string, string>
  notes: Notes
  priced: Goods
  delivered: Goods
}

/** Everything that is wrong, by kind; nothing may be. */
export type Balance = {
  /** Orders and money. */
  lost: string[]
  /** Units that were sold or reserved, and are not there. */
  oversold: number
  /** Refunds that were made twice, or that nobody asked for. */
  doubled: string[]
  /** Edits and imports that were confirmed, and are not there. */
  undone: string[]
  /** Rows that break an invariant, as `doctor` finds them, and stock that does not add up. */
  broken: string[]
}

export const isBalanced = ({ lost, oversold, doubled, undone, broken }: Balance) =>
  oversold === 0 && [lost, doubled, undone, broken].every((found) => found.length === 0)

/** Partial refunds of orders: as many at the provider as were asked for, and the shop knows their sum. */
async function wrongRefunds(db: Database, { provider, notes }: Truth) {
  const lost: string[] = []
  const doubled: string[] = []
  const { rows } = await sql<{ id: string; refunded: number }>`
    select provider_payment_id as id, refunded_minor as refunded
    from captures join orders using (payment_id) cross join lateral refunds_of(captures.id)
    where purpose = 'order'`.execute(db)
  const { done, unclear } = notes.refunds
  for (const { id, refunded } of rows) {
    const made = provider.account.refunds.filter(({ payment_id }) => payment_id === id)
    const requested = Number(done.includes(id)) + Number(unclear.includes(id))
    if (made.length > requested) doubled.push(`${id} has ${made.length} refunds of ${requested}`)
    if (done.includes(id) && made.length === 0) lost.push(`the refund of ${id} is missing`)
    if (refunded !== provider.account.refundedOf(id))
      lost.push(`${id}: ${refunded} refunded here, ${provider.account.refundedOf(id)} there`)
  }
  return { lost, doubled }
}

/** Confirmed edits and imports that are not there, or there twice. */
async function undoneWork(db: Database, { notes, priced }: Truth) {
  const undone: string[] = []
  const { price_minor } = await db
    .selectFrom('products')
    .where('id', '=', priced._id)
    .select('list_price_minor as price_minor')
    .executeTakeFirstOrThrow()
  const { prices, imports } = notes
  const last = prices.done.at(-1)
  const possible = [...(last === undefined ? [] : [last]), ...prices.unclear]
  if (last !== undefined && !possible.includes(price_minor / 100))
    undone.push(`the price is ${price_minor / 100} and not ${possible.join(' or ')}`)
  const { rows } = await sql<{ word: string; count: number }>`
    select split_part(name, ' ', 1) as word, count(*)::integer from products
    where name like 'Import%' group by 1`.execute(db)
  const counts = new Map(rows.map(({ word, count }) => [word, count]))
  for (const word of imports.done)
    if (counts.get(word) !== IMPORT_ROWS) undone.push(`${word} has ${counts.get(word) ?? 0} rows`)
  for (const word of imports.unclear)
    if (![0, IMPORT_ROWS].includes(counts.get(word) ?? 0))
      undone.push(`${word} has ${counts.get(word)} rows`)
  return undone
}

/** The units of each product that there are more or fewer of than came in. */
async function stockErrors(db: Database, { population, delivered, notes }: Truth) {
  const all = new Map((await selectStock(db)).map((units) => [units.id, units]))
  const { goods, last } = population
  let oversold = 0
  const errors: string[] = []
  for (const { _id, initial } of [...goods, ...Object.values(last), delivered]) {
    const { free = 0, reserved = 0, sold = 0 } = all.get(_id) ?? {}
    const isDelivered = _id === delivered._id
    const min = initial + (isDelivered ? DELIVERY * notes.deliveries.done.length : 0)
    const max = min + (isDelivered ? DELIVERY * notes.deliveries.unclear.length : 0)
    const sum = free + reserved + sold
    oversold += Math.max(0, sum - max)
    if (sum < min || sum > max || (sum - min) % DELIVERY !== 0)
      errors.push(`${_id}: ${free} free + ${reserved} reserved + ${sold} sold, not ${min}…${max}`)
  }
  return { oversold, errors }
}

/** Compares the database with what the clients and the provider know, when everything is settled. */
export async function balanceOf(db: Database, truth: Truth): Promise<Balance> {
  const { population, provider, confirmed } = truth
  const ledger = await checkLedger(db, { population, provider, confirmed, settled: true })
  const refunds = await wrongRefunds(db, truth)
  const stock = await stockErrors(db, truth)
  const contradictions = Object.entries(await contradictionsIn(db))
  return {
    lost: [...ledger.lost, ...refunds.lost],
    oversold: stock.oversold,
    doubled: refunds.doubled,
    undone: await undoneWork(db, truth),
    broken: [
      ...contradictions.map(([what, rows]) => `${what}: ${JSON.stringify(rows)}`),
      ...stock.errors,
    ],
  }
}
