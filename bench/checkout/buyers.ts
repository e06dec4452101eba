/** A process of buyers: each starts a payment, pays in the sandbox, and verifies it, again and again. */
import type autocannon from 'autocannon'
import { paymentCalls } from '#app/payments/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { type Load, runAutocannon, toAutocannon } from '../load/load.ts'
import { quantile } from '../statistics.ts'
import { BUYERS_EACH, type Buyer, cartOf, FIRST, LAST, networkOfBuyer } from './fixtures.ts'

export type Purchases = Omit<Load, 'requests'> & { buyers: Buyer[] }
/** Whole purchases; times in milliseconds. */
export type PurchaseSpeed = { perSecond: number; p50: number; p99: number; generatorCore: number }

const MIDDLE = (FIRST + LAST + 1) / 2
const START = address(paymentCalls.startPayment, {}, {})
const VERIFY = address(paymentCalls.verifyPayment, {}, {})

const between = (least: number, most: number) =>
  least + Math.floor(Math.random() * (most - least + 1))

const randomCart = () => cartOf(between(FIRST, MIDDLE - 1), between(MIDDLE, LAST))

type Context = { id?: string }

/** The two requests of a purchase: the second one has the id that answers the first. */
function requestsOf({ number, token }: Buyer, wrongAnswers: string[]): autocannon.Request[] {
  const headers = {
    authorization: token,
    'x-forwarded-for': networkOfBuyer(number),
    'accept-encoding': 'identity',
  }
  return [
    {
      ...toAutocannon({ method: 'POST', path: START, headers, body: randomCart() }),
      setupRequest: (request) => ({ ...request, body: JSON.stringify(randomCart()) }),
      onResponse: (_status, body, context: Context) => {
        context.id = JSON.parse(body).id
      },
    },
    {
      ...toAutocannon({ method: 'POST', path: VERIFY, headers, body: {} }),
      setupRequest: (request, { id = '' }: Context) => ({
        ...request,
        body: JSON.stringify(signedPayment(id)),
      }),
      onResponse: (_status, body) => {
        const { order } = JSON.parse(body)
        if (order?.products.length !== 2) wrongAnswers.push(body)
      },
    },
  ]
}

async function buy({ buyers, ...load }: Purchases): Promise<PurchaseSpeed> {
  const times: number[] = []
  const wrongAnswers: string[] = []
  const startTimes = new Map<autocannon.Client, number>()
  const { seconds, generatorCore } = await runAutocannon(
    load,
    (connection) =>
      buyers
        .slice(connection * BUYERS_EACH, (connection + 1) * BUYERS_EACH)
        .flatMap((buyer) => requestsOf(buyer, wrongAnswers)),
    (client, milliseconds) => {
      const startTime = startTimes.get(client)
      if (startTime === undefined) {
        startTimes.set(client, milliseconds)
      } else {
        startTimes.delete(client)
        times.push(startTime + milliseconds)
      }
    },
  )
  if (wrongAnswers.length > 0) throw new Error(`This is not an order: ${wrongAnswers[0]}`)
  return {
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    generatorCore,
  }
}

process.on('message', async (purchases: Purchases) => {
  process.send?.(await buy(purchases))
})
