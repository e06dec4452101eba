import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { contradictionsIn, type ProductStock, selectStock } from '#tests/support/consistency.ts'
import type { FakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import type { Population } from './fixtures.ts'

type Money = {
  id: string
  /** `order`: it paid for one, and nothing is refunded of it. */
  state: 'refunding' | 'refunded' | Row<'captures'>['purpose']
  order: string | null
  orders: number
}

/** The money that came in, with its orders. */
async function moneyOf(db: Database): Promise<Map<string, Money>> {
  const { rows } = await sql<Money>`
    select provider_payment_id as id, case
        when open_refund is not null then 'refunding'
        when refunds > 0 then 'refunded'
        else purpose
      end as state,
      min(orders.id::text) as order, count(orders.id)::integer as orders
    from captures cross join lateral refunds_of(captures.id)
    left join orders on orders.payment_id = captures.payment_id and purpose = 'order'
    group by captures.id, open_refund, refunds`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export type Found = {
  losses: string[]
  /** The losses of orders or money. */
  lost: string[]
  orders: number
  refunds: number
}

type Truth = {
  population: Population
  provider: FakeRazorpay
  confirmed: Map<string, string>
  /** Whether every payment must be decided on by now. */
  settled: boolean
}

function* stockLosses(stock: ProductStock[], { goods, last }: Population) {
  for (const { _id, initial } of [...goods, ...Object.values(last)]) {
    const found = stock.find(({ id }) => id === _id)
    const { free = 0, reserved = 0, sold = 0 } = found ?? {}
    if (free + reserved + sold !== initial)
      yield `product ${_id}: ${free} free + ${reserved} reserved + ${sold} sold is not ${initial}`
  }
}

function* moneyLosses(money: Map<string, Money>, { provider, confirmed, settled }: Truth) {
  const { payments, refundedOf } = provider.account
  const isRefunded = (id: string) => payments.get(id)?.status === 'refunded' && refundedOf(id) > 0
  // of an order a part is enough
  const isPaidBack = (id: string, orders = 0) =>
    isRefunded(id) || (orders > 0 && refundedOf(id) > 0)
  for (const [id, { state, orders }] of money) {
    const truth = payments.get(id)
    if (!truth) yield `${id} is ${state}, and the provider does not know it`
    if (state === 'order' && orders !== 1) yield `${id} is captured and has ${orders} orders`
    if (state === 'order' && settled && !truth?.captured)
      yield `${id} has an order, and was never captured`
    if (state === 'order' && isRefunded(id)) yield `${id} has an order, and was refunded`
    if (state === 'refunded' && !isPaidBack(id, orders))
      yield `${id} is not refunded at the provider`
  }
  for (const [id, order] of confirmed) {
    if (money.get(id)?.order !== order) yield `${id}: the confirmed order ${order} is missing`
  }
  if (!settled) return
  for (const { id, captured } of payments.values()) {
    const { state, orders } = money.get(id) ?? {}
    // the shop has decided against authorised money: the provider releases it
    if (!captured && orders === 0) continue
    const refunded = isPaidBack(id, orders)
    if (state !== 'order' && !(state === 'refunded' && refunded))
      yield `${id} was paid and is ${state ?? 'unknown'}${refunded ? ', refunded' : ''}`
  }
}

/** Compares the shop's database with what the provider and the clients know. */
export async function checkLedger(db: Database, truth: Truth): Promise<Found> {
  const contradictions = Object.entries(await contradictionsIn(db))
  const stock = await selectStock(db)
  const money = await moneyOf(db)
  const states = [...money.values()].map(({ state }) => state)
  const lost = [...moneyLosses(money, truth)]
  return {
    losses: [
      ...contradictions.map(([what, rows]) => `${what}: ${JSON.stringify(rows)}`),
      ...stockLosses(stock, truth.population),
      ...lost,
    ],
    lost,
    orders: states.filter((state) => state === 'order').length,
    refunds: states.filter((state) => state === 'refunded').length,
  }
}
