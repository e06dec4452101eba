import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import type { FakeRazorpay } from '../provider/fake-razorpay.ts'
import type { Population } from './populate.ts'

type Pieces = { id: string; free: number; held: number; sold: number }

/** Every piece is free, held or sold. */
async function piecesOf(db: Database): Promise<Pieces[]> {
  const { rows } = await sql<Pieces>`
    select id, quantity as free,
      (select coalesce(sum(line.quantity), 0)::integer from payment_lines line
        join holds using (payment_id) where line.product_id = products.id) as held,
      (select coalesce(sum(line.quantity), 0)::integer from order_lines line
        where line.product_id = products.id) as sold
    from products`.execute(db)
  return rows
}

type Money = { id: string; state: string; order: string | null; orders: number }

/** What the shop knows of each payment, and the orders that it made. */
async function moneyOf(db: Database): Promise<Map<string, Money>> {
  const { rows } = await sql<Money>`
    select money.id, state, min(orders.id::text) as order, count(orders.id)::integer as orders
    from provider_payments money
    left join orders on orders.payment_id = money.payment_id and state = 'kept'
    group by money.id, state`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export type Found = {
  losses: string[]
  orders: number
  refunds: number
  sold: number
}

type Truth = {
  population: Population
  provider: FakeRazorpay
  acknowledged: Map<string, string>
  /** Whether everything that came in must have been decided on by now. */
  settled: boolean
}

function* stockLosses(pieces: Pieces[], { goods, last }: Population) {
  for (const { _id, initial } of [...goods, ...Object.values(last)]) {
    const found = pieces.find(({ id }) => id === _id)
    const { free = 0, held = 0, sold = 0 } = found ?? {}
    if (free + held + sold !== initial)
      yield `product ${_id}: ${free} free + ${held} held + ${sold} sold is not ${initial}`
  }
}

function* moneyLosses(money: Map<string, Money>, { provider, acknowledged, settled }: Truth) {
  const { payments } = provider.books
  for (const [id, { state, orders }] of money) {
    const truth = payments.get(id)
    if (!truth) yield `${id} is ${state}, and the provider does not know it`
    if (state === 'kept' && orders !== 1) yield `${id} is kept and made ${orders} orders`
    if (state === 'kept' && settled && truth?.status !== 'captured')
      yield `${id} made an order, and was never captured`
    if (state === 'kept' && truth?.refunded) yield `${id} made an order, and was given back`
    if (state === 'refunded' && !truth?.refunded) yield `${id} was not given back`
  }
  for (const [id, order] of acknowledged) {
    if (money.get(id)?.order !== order) yield `${id}: the confirmed order ${order} is missing`
  }
  if (!settled) return
  for (const payment of payments.values()) {
    const { id, refunded } = payment
    const state = money.get(id)?.state
    if (state !== 'kept' && provider.books.isNobodys(payment)) continue
    if (state !== 'kept' && !(state === 'refunded' && refunded))
      yield `${id} came in and is ${state ?? 'unknown'}${refunded ? ', given back' : ''}`
  }
}

/** Compares the shop's database with what the provider and the buyers know. */
export async function audit(db: Database, truth: Truth): Promise<Found> {
  const contradictions = Object.entries(await contradictionsIn(db))
  const pieces = await piecesOf(db)
  const money = await moneyOf(db)
  const states = [...money.values()].map(({ state }) => state)
  return {
    losses: [
      ...contradictions.map(([what, rows]) => `${what}: ${JSON.stringify(rows)}`),
      ...stockLosses(pieces, truth.population),
      ...moneyLosses(money, truth),
    ],
    orders: states.filter((state) => state === 'kept').length,
    refunds: states.filter((state) => state === 'refunded').length,
    sold: pieces.reduce((sum, { sold }) => sum + sold, 0),
  }
}
