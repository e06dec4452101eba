import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Dice } from '../dice.ts'
import { openBooks, type ProviderPayment, type ProviderRefund } from './books.ts'
import { hireMessenger } from './messenger.ts'

/**
 * What may be wrong with the provider's answers: they come after 30 seconds, say 500, are cut off
 * before or after the work was done, or come twice on the same connection: at once, or in the place
 * of the next answer there.
 */
export const MOODS = ['slow', 'failing', 'cut before', 'cut after', 'twice'] as const
export type Mood = (typeof MOODS)[number] | 'well'

/**
 * The shares of payments that the bank only promises, for the shop to capture, and that are paid
 * for twice; and whether what is promised can be captured now.
 */
export type Manner = { promises: number; twice: number; capturesNothing: boolean }

const SLOW_MS = 30_000
/** A test key: nothing that is paid here is money. */
const KEY_ID = 'rzp_test_faults'
const KEY_SECRET = 'key-secret-of-the-faults'
const HOOK_SECRET = 'hook-secret-of-the-faults'

type Answer = { status: number; body: unknown }

const refusal = (description: string): Answer => ({
  status: 400,
  body: { error: { code: 'BAD_REQUEST_ERROR', description } },
})

const entityOf = ({ id, orderId, amount, currency, status, refunded }: ProviderPayment) => ({
  ...{ id, entity: 'payment', order_id: orderId, amount, currency },
  status: refunded ? 'refunded' : status,
  created_at: Math.floor(Date.now() / 1000),
})

const refundEntity = ({ id, paymentId: payment_id, createdAt, ...refund }: ProviderRefund) => ({
  ...{ id, entity: 'refund', payment_id, created_at: createdAt },
  ...refund,
})

const collection = (items: object[]): Answer => ({
  status: 200,
  body: { entity: 'collection', count: items.length, items },
})

async function bodyOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}

function write(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The answer once more, as it goes over the wire. */
function wordsOf({ status, body }: Answer) {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

/**
 * What becomes of the refunds that it takes on: the shares that fail, and that it does not tell of;
 * and how long that takes. At once is before it answers, and `never` leaves it to `finish`.
 */
export type Refunding = { failing: number; untold: number; afterMs: number | 'never' }

/** Razorpay, as far as the shop knows it, with books that stay true whatever it answers. */
export type FakeRazorpay = Awaited<ReturnType<typeof startFakeRazorpay>>

/** Starts it for a shop at an address that may change; `dice` says which answers the mood spoils. */
export async function startFakeRazorpay(shop: () => string, dice: Dice) {
  const books = openBooks(KEY_SECRET)
  const messenger = hireMessenger({ address: shop, secret: HOOK_SECRET, dice })
  const manner: Manner = { promises: 0, twice: 0, capturesNothing: false }
  const paid = { promised: 0, twice: 0 }
  const mood: { is: Mood; share: number; spoilt: number } = { is: 'well', share: 1, spoilt: 0 }

  const tellOf = (payment: ProviderPayment) => {
    messenger.report('payment.captured', payment)
    messenger.report('order.paid', payment)
  }

  const payOnce = (orderId: string) => {
    const { payment, proof } = books.authorise(orderId)
    if (dice.next() < manner.promises) {
      paid.promised += 1
      messenger.report('payment.authorized', payment)
    } else if (books.capture(payment.id)) tellOf(payment)
    return proof
  }

  const refunding: Refunding = { failing: 0, untold: 0, afterMs: 0 }
  const finish = (refund: ProviderRefund, status: 'processed' | 'failed') => {
    if (refund.status !== 'pending') return
    const payment = books.finish(refund, status)
    if (dice.next() >= refunding.untold) messenger.report(`refund.${status}`, payment, refund)
  }
  const outcomeOf = (refund: ProviderRefund) => {
    const status = dice.next() < refunding.failing ? 'failed' : 'processed'
    if (refunding.afterMs === 0) finish(refund, status)
    else if (refunding.afterMs !== 'never')
      setTimeout(refunding.afterMs, undefined, { ref: false }).then(() => finish(refund, status))
  }

  const work = async (request: IncomingMessage): Promise<Answer> => {
    const [, , kind, id = '', action] = (request.url ?? '').split('?')[0]?.split('/') ?? []
    const body = await bodyOf(request)
    const asked = new URL(request.url ?? '', 'http://localhost').searchParams
    if (kind === 'orders' && !id) return { status: 200, body: books.open(body) }
    const order = kind === 'orders' && books.order(id)
    if (kind === 'orders' && !order) return refusal('The id provided does not exist')
    if (order && action === 'payments') {
      return collection(books.paymentsOf(id).map(entityOf))
    }
    if (order) return { status: 200, body: order }
    const payment = books.payments.get(id)
    if (kind === 'payments' && !id) {
      const first = Number(asked.get('skip'))
      const all = [...books.payments.values()].reverse()
      return collection(all.slice(first, first + Number(asked.get('count'))).map(entityOf))
    }
    if (kind === 'payments' && payment && !action) return { status: 200, body: entityOf(payment) }
    if (kind === 'payments' && action === 'capture') {
      const captured = manner.capturesNothing ? null : books.capture(id, body.amount)
      if (!captured) return refusal('This payment cannot be captured')
      tellOf(captured)
      return { status: 200, body: entityOf(captured) }
    }
    if (kind === 'payments' && action === 'refund') {
      if (payment?.status !== 'captured')
        return refusal('The payment status should be captured for action to be taken')
      const refund = books.takeOn(id, body.amount)
      if (!refund) return refusal('The payment has been fully refunded already')
      outcomeOf(refund)
      return { status: 200, body: refundEntity(refund) }
    }
    if (kind === 'refunds') {
      const first = Number(asked.get('skip'))
      const since = books
        .refundsOf()
        .filter(({ createdAt }) => createdAt >= Number(asked.get('from')))
      return collection(since.slice(first, first + Number(asked.get('count'))).map(refundEntity))
    }
    if (kind === 'payments' && action === 'refunds')
      return collection(books.refundsOf(id).map(refundEntity))
    return refusal('The requested URL was not found on the server.')
  }

  const unheard = new WeakMap<Socket, string>()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const bad = dice.next() < mood.share ? mood.is : 'well'
    if (bad !== 'well') mood.spoilt += 1
    if (bad === 'cut before') return request.socket.destroy()
    if (bad === 'failing')
      return write(response, { status: 500, body: { error: { code: 'SERVER_ERROR' } } })
    const done = await work(request)
    if (bad === 'cut after') return request.socket.destroy()
    if (bad === 'slow') await setTimeout(SLOW_MS, undefined, { ref: false })
    const { socket } = request
    // the next who asks there hears what came late
    const late = unheard.get(socket)
    unheard.delete(socket)
    if (late) socket.write(late)
    write(response, done)
    if (bad !== 'twice') return
    if (dice.next() < 0.5) socket.write(wordsOf(done))
    else unheard.set(socket, wordsOf(done))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    books,
    messenger,
    mood,
    manner,
    /** How many payments were only promised, and how many orders paid for twice. */
    paid,
    refunding,
    /** A refund comes through, or fails, and is reported. */
    finish,
    /** The merchant gives something back at the provider's dashboard. */
    giveBack(paymentId: string, amount: number) {
      const refund = books.takeOn(paymentId, amount)
      if (refund) finish(refund, 'processed')
    },
    /** What a shop needs to be set to. */
    settings: {
      RAZORPAY_KEY_ID: KEY_ID,
      RAZORPAY_KEY_SECRET: KEY_SECRET,
      RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET,
      RAZORPAY_API_URL: `http://127.0.0.1:${port}`,
    },
    /** A buyer pays in the dialog; the provider reports it in its own time. */
    pay(orderId: string) {
      const proof = payOnce(orderId)
      if (dice.next() < manner.twice) {
        paid.twice += 1
        payOnce(orderId)
      }
      return proof
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
