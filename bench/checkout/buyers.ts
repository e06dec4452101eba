/** A process of buyers who buy repeatedly: start a payment, pay in the sandbox, verify. */
import { paymentCalls } from '#app/payments/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { type Connection, type LoadRequest, openConnection, requestOf } from '../load/connection.ts'
import { quantile } from '../statistics.ts'
import { BUYERS_EACH, type Buyer, cartOf, FIRST, LAST, networkOfBuyer } from './fixtures.ts'

export type Rush = { address: string; buyers: Buyer[]; connections: number; seconds: number }
/** Purchases per second, and the milliseconds of one. */
export type Sales = { perSecond: number; p50: number; p99: number }

const MIDDLE = (FIRST + LAST + 1) / 2
const START = address(paymentCalls.startPayment, {}, {})
const VERIFY = address(paymentCalls.verifyPayment, {}, {})

const between = (least: number, most: number) =>
  least + Math.floor(Math.random() * (most - least + 1))

type Shop = { address: string; connection: Connection }

async function ask({ address, connection }: Shop, one: LoadRequest) {
  const { status, body } = await connection.ask(requestOf(address, one))
  const text = body.toString()
  if (status !== 200) throw new Error(`${one.path} answered ${status}: ${text}`)
  return JSON.parse(text)
}

async function buy(shop: Shop, { number, token }: Buyer) {
  const person = { token, network: networkOfBuyer(number) }
  const cart = cartOf(between(FIRST, MIDDLE - 1), between(MIDDLE, LAST))
  const started = await ask(shop, { method: 'POST', path: START, body: cart, person })
  const body = signedPayment(started.id)
  const { order } = await ask(shop, { method: 'POST', path: VERIFY, body, person })
  if (order.products.length !== 2) throw new Error('That is not what was bought.')
}

async function rush({ address, buyers, connections, seconds }: Rush): Promise<Sales> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(address)))
  const times: number[] = []
  const began = performance.now()
  const until = began + seconds * 1000
  const buyerRun = open.map(async (connection, at) => {
    const own = buyers.slice(at * BUYERS_EACH, (at + 1) * BUYERS_EACH)
    for (let turn = 0; performance.now() < until; turn++) {
      const buyer = own[turn % own.length]
      if (!buyer) throw new Error('There are more connections than buyers.')
      const start = performance.now()
      await buy({ address, connection }, buyer)
      times.push(performance.now() - start)
    }
    connection.close()
  })
  await Promise.all(buyerRun)
  const perSecond = times.length / ((performance.now() - began) / 1000)
  return { perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

process.on('message', async (told: Rush) => {
  process.send?.(await rush(told))
})
