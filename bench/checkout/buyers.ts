/** A process of buyers: each starts a payment, pays in the sandbox, and verifies it, again and again. */
import { setTimeout } from 'node:timers/promises'
import { paymentCalls } from '#app/payments/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { beginRun } from '../load/load.ts'
import { quantile } from '../statistics.ts'
import { type Connection, openConnection } from './connection.ts'
import { BUYERS_EACH, type Buyer, cartOf, FIRST, LAST, networkOfBuyer } from './fixtures.ts'

export type Purchases = {
  address: string
  buyers: Buyer[]
  /** Each connection is a buyer at a time. */
  connections: number
  seconds: number
  /** Whether the first product is the same in all carts. */
  isSameProduct: boolean
}

/** Whole purchases; times in milliseconds. */
export type PurchaseSpeed = { perSecond: number; p50: number; p99: number; generatorCore: number }

/** Purchases are counted when all buyers have begun and the shop sends their e-mails, and while all go on. */
const RAMP_MS = 2500

const MIDDLE = (FIRST + LAST + 1) / 2
const START = address(paymentCalls.startPayment, {}, {})
const VERIFY = address(paymentCalls.verifyPayment, {}, {})

const between = (min: number, max: number) => min + Math.floor(Math.random() * (max - min + 1))

const randomCart = (isSameProduct: boolean) =>
  cartOf(isSameProduct ? FIRST : between(FIRST, MIDDLE - 1), between(MIDDLE, LAST))

/** The two requests of a purchase: the second one has the id that answers the first. */
async function buy({ post }: Connection, { number, token }: Buyer, isSameProduct: boolean) {
  const headers = { authorization: token, 'x-forwarded-for': networkOfBuyer(number) }
  const cart = randomCart(isSameProduct)
  const started = (await post({ path: START, headers, body: cart })) as { id: string }
  const body = signedPayment(started.id)
  const answer = await post({ path: VERIFY, headers, body })
  const { order } = answer as { order?: { products: object[] } }
  if (order?.products.length !== 2)
    throw new Error(`This is not an order: ${JSON.stringify(answer)}`)
}

/** When a purchase ended, and how long it took, in milliseconds. */
type Bought = { at: number; took: number }

/** Counts purchases; `reach` resolves when there are so many. */
function openCount() {
  const all: Bought[] = []
  const waiting = new Map<number, () => void>()
  return {
    all,
    add(one: Bought) {
      all.push(one)
      waiting.get(all.length)?.()
    },
    reach: (count: number) =>
      new Promise<void>((resolve) => {
        if (all.length >= count) resolve()
        else waiting.set(count, resolve)
      }),
  }
}

/** Buys until the signal; a purchase that has begun is finished. */
async function buyOn(
  connection: Connection,
  buyers: Buyer[],
  {
    isSameProduct,
    stop,
    add,
  }: { isSameProduct: boolean; stop: AbortSignal; add: (one: Bought) => void },
): Promise<void> {
  for (let turn = 0; !stop.aborted; turn += 1) {
    const buyer = buyers[turn % buyers.length]
    if (!buyer) throw new Error('There are more connections than buyers.')
    const begun = performance.now()
    await buy(connection, buyer, isSameProduct)
    const at = performance.now()
    add({ at, took: at - begun })
  }
}

async function measure({
  address,
  buyers,
  connections,
  seconds,
  isSameProduct,
}: Purchases): Promise<PurchaseSpeed> {
  const opened = await Promise.all(
    Array.from({ length: connections }, () => openConnection(address)),
  )
  const bought = openCount()
  const stopping = new AbortController()
  const buying = Promise.all(
    opened.map((connection, at) =>
      buyOn(connection, buyers.slice(at * BUYERS_EACH, (at + 1) * BUYERS_EACH), {
        isSameProduct,
        stop: stopping.signal,
        add: bought.add,
      }),
    ),
  )
  // as many as connections, also on a slow machine
  const wait = (milliseconds: number) =>
    Promise.all([setTimeout(milliseconds), bought.reach(bought.all.length + connections)])
  // a purchase that fails ends the measurement at once
  await Promise.race([wait(RAMP_MS), buying])
  const begun = performance.now()
  const effort = beginRun()
  await Promise.race([wait(seconds * 1000), buying])
  const ended = performance.now()
  const { generatorCore } = effort()
  stopping.abort()
  await buying
  for (const { close } of opened) close()
  const times = bought.all.filter(({ at }) => at >= begun && at < ended).map(({ took }) => took)
  return {
    perSecond: times.length / ((ended - begun) / 1000),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    generatorCore,
  }
}

process.on('message', async (purchases: Purchases) => {
  process.send?.(await measure(purchases))
})
