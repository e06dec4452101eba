import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { openProviderState, type ProviderPayment, type ProviderRefund } from './provider-state.ts'
import type { Random } from './random.ts'
import { openWebhookSender } from './webhook-sender.ts'

/**
 * What may be wrong with an answer: it comes after 30 seconds, it is a 500, the connection is cut
 * before or after the work was done, or the answer comes twice on the same connection, at once or in
 * the place of the next answer.
 */
export const FAILURES = ['slow', 'error', 'cut before', 'cut after', 'twice'] as const
export type Failure = (typeof FAILURES)[number]

const SLOW_MS = 30_000
const KEY_ID = 'rzp_test_faults'
const KEY_SECRET = 'key-secret-of-the-faults'
const WEBHOOK_SECRET = 'hook-secret-of-the-faults'

type Answer = { status: number; body: unknown }

const ok = (body: unknown): Answer => ({ status: 200, body })

const refusal = (description: string): Answer => ({
  status: 400,
  body: { error: { code: 'BAD_REQUEST_ERROR', description } },
})

const paymentEntity = ({ id, orderId, amount, currency, status, refunded }: ProviderPayment) => ({
  id,
  entity: 'payment',
  order_id: orderId,
  amount,
  currency,
  status: refunded ? 'refunded' : status,
})

const refundEntity = ({ id, paymentId, amount, status }: ProviderRefund) => ({
  id,
  entity: 'refund',
  payment_id: paymentId,
  amount,
  status,
})

const collection = (items: object[]): Answer =>
  ok({ entity: 'collection', count: items.length, items })

async function bodyOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}

function write(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An answer as the bytes of HTTP. */
function rawAnswer({ status, body }: Answer) {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

/** The idempotency key of a refund. Razorpay's documentation says how it looks. */
function keyOf({ headers }: IncomingMessage): string {
  const key = headers['x-refund-idempotency']
  if (typeof key !== 'string' || !/^[\w-]{10,256}$/.test(key))
    throw new Error(`The idempotency key ${key} is invalid.`)
  return key
}

export type FakeRazorpay = Awaited<ReturnType<typeof startFakeRazorpay>>

/**
 * Starts a server with the part of Razorpay's API that the shop uses; its state stays true whatever
 * it answers. Webhooks go to `shop`; `random` decides which answers fail.
 */
export async function startFakeRazorpay(shop: () => string, random: Random) {
  const state = openProviderState(KEY_SECRET)
  const webhooks = openWebhookSender({ address: shop, secret: WEBHOOK_SECRET, random })
  /** The share of payments that are only authorised, and whether capturing them works. */
  const banking = { authorisedOnly: 0, canCapture: true }
  /** The kind and share of answers that fail, and how many did. */
  const failing: { kind: Failure | null; share: number; count: number } = {
    kind: null,
    share: 1,
    count: 0,
  }
  /**
   * The share of refunds that fail, whether they stay pending until `endRefund`, and whether the list
   * of refunds lags behind. `before` is awaited before a requested refund takes effect.
   */
  const refunding = {
    failing: 0,
    staysPending: false,
    listLags: false,
    before: async () => {},
  }

  const reportCapture = (payment: ProviderPayment) => {
    webhooks.report('payment.captured', payment)
    webhooks.report('order.paid', payment)
  }
  const endRefund = (refund: ProviderRefund, status: 'processed' | 'failed') => {
    if (refund.status !== 'pending') return
    webhooks.report(`refund.${status}`, state.endRefund(refund, status), refund)
  }

  const capture = (id: string, amount: number): Answer => {
    const captured = banking.canCapture ? state.capture(id, amount) : null
    if (!captured) return refusal('This payment cannot be captured')
    reportCapture(captured)
    return ok(paymentEntity(captured))
  }
  /** The refund of each idempotency key, and its amount. */
  const requested = new Map<string, ProviderRefund>()
  const repeated = (key: string, amount: number): Answer | null => {
    const known = requested.get(key)
    if (!known) return null
    return known.amount === amount
      ? ok(refundEntity(known))
      : refusal('Different request with the same idempotency key has already been processed.')
  }
  const refund = (id: string, amount: number, key: string): Answer => {
    const known = repeated(key, amount)
    if (known) return known
    if (state.payments.get(id)?.status !== 'captured')
      return refusal('The payment status should be captured for action to be taken')
    const accepted = state.acceptRefund(id, amount)
    if (!accepted) return refusal('The payment has been fully refunded already')
    requested.set(key, accepted)
    const fails = random.chance(refunding.failing)
    if (!refunding.staysPending) endRefund(accepted, fails ? 'failed' : 'processed')
    return ok(refundEntity(accepted))
  }

  const answerOrders = async (request: IncomingMessage, id: string, action?: string) => {
    if (!id) return ok(state.createOrder(await bodyOf(request)))
    const order = state.order(id)
    if (!order) return refusal('The id provided does not exist')
    return action === 'payments' ? collection(state.paymentsOf(id).map(paymentEntity)) : ok(order)
  }
  const answerPayments = async (request: IncomingMessage, id: string, action?: string) => {
    const { amount } = await bodyOf(request)
    const payment = state.payments.get(id)
    if (action === 'capture') return capture(id, amount)
    if (action === 'refund') {
      await refunding.before()
      return refund(id, amount, keyOf(request))
    }
    if (action === 'refunds')
      return collection(refunding.listLags ? [] : state.refundsOf(id).map(refundEntity))
    return payment ? ok(paymentEntity(payment)) : refusal('The id provided does not exist')
  }
  const work = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const [, , kind, id = '', action] = pathname.split('/')
    if (kind === 'orders') return answerOrders(request, id, action)
    if (kind === 'payments') return answerPayments(request, id, action)
    return refusal('The requested URL was not found on the server.')
  }

  const delayed = new WeakMap<Socket, string>()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const failure = random.chance(failing.share) ? failing.kind : null
    if (failure) failing.count += 1
    if (failure === 'cut before') return request.socket.destroy()
    if (failure === 'error')
      return write(response, { status: 500, body: { error: { code: 'SERVER_ERROR' } } })
    const done = await work(request)
    if (failure === 'cut after') return request.socket.destroy()
    if (failure === 'slow') await setTimeout(SLOW_MS, undefined, { ref: false })
    const { socket } = request
    const former = delayed.get(socket)
    delayed.delete(socket)
    if (former) socket.write(former)
    write(response, done)
    if (failure !== 'twice') return
    if (random.chance(0.5)) socket.write(rawAnswer(done))
    else delayed.set(socket, rawAnswer(done))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    state,
    webhooks,
    failing,
    banking,
    refunding,
    /** Ends a pending refund, and reports it. */
    endRefund,
    /** The merchant refunds an amount in the provider's dashboard. */
    refundInDashboard(paymentId: string, amount: number) {
      const accepted = state.acceptRefund(paymentId, amount)
      if (accepted) endRefund(accepted, 'processed')
    },
    /** The settings of a shop that uses it. */
    settings: {
      RAZORPAY_KEY_ID: KEY_ID,
      RAZORPAY_KEY_SECRET: KEY_SECRET,
      RAZORPAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      RAZORPAY_API_URL: `http://127.0.0.1:${port}`,
    },
    /** A buyer pays in the dialog. */
    pay(orderId: string) {
      const { payment, proof } = state.authorise(orderId)
      if (random.chance(banking.authorisedOnly)) webhooks.report('payment.authorized', payment)
      else if (state.capture(payment.id)) reportCapture(payment)
      return proof
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
