import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { guessLimit } from '#app/coupons/server/guesses.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { invalid, notFound } from '#app/shared/server/failure.ts'
import { networkOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { paymentCalls, sandboxCalls } from '../contract.ts'
import type { refundCalls } from '../refund-contract.ts'
import { verifyPayment } from './completion.ts'
import type { PaymentContext } from './context.ts'
import { presentRefund } from './presenter.ts'
import { SANDBOX_SCRIPT, type Sandbox } from './providers/sandbox.ts'
import { countRefundsOf, selectRefundsOf } from './refunds/refund-list-store.ts'
import { cancelPayment, startPayment } from './service.ts'
import { selectPayment } from './store.ts'
import { PAYABLE } from './transitions.ts'
import { processWebhook } from './webhook/webhook.ts'

type Dependencies = {
  db: Database
  context: PaymentContext
  counters: CounterStore
  /** Secrets that webhooks may be signed with. */
  webhookSecrets: string[]
  /** Whether reservations of networks are limited. */
  limitsNetworks: boolean
}

const header = ({ headers }: FastifyRequest, name: string) => String(headers[name] ?? '')

export const paymentHandlers = ({
  db,
  context,
  counters,
  webhookSecrets,
  limitsNetworks,
}: Dependencies): Handlers<typeof paymentCalls> => ({
  startPayment({ body, caller: { userId }, request }) {
    const limitGuesses = guessLimit(counters, { address: request.ip, userId })
    const network = limitsNetworks ? networkOf(request.ip) : null
    return startPayment(db, context, { ...body, userId, network, limitGuesses })
  },
  verifyPayment: async ({ body: { cart, ...proof }, caller }) => ({
    success: true,
    message: 'Payment Successful',
    order: await verifyPayment(db, context, { proof, cart, buyerId: caller.userId }),
  }),
  cancelPayment: async ({ body: { razorpay_order_id: providerOrderId, releaseOnly }, caller }) => {
    await cancelPayment(db, { providerOrderId, releaseOnly, userId: caller.userId })
    return { success: true }
  },
  handleWebhook: async ({ raw = Buffer.alloc(0), request }) => {
    await processWebhook(db, context, {
      raw,
      secrets: webhookSecrets,
      signature: header(request, 'x-razorpay-signature'),
      eventId: header(request, 'x-razorpay-event-id'),
    })
    return { success: true }
  },
})

export const refundHandlers = ({ db }: { db: Database }): Handlers<typeof refundCalls> => ({
  getRefunds: async ({ query: { page }, caller: { userId }, request, reply }) => {
    const [refunds, total] = await Promise.all([
      selectRefundsOf(db, userId, sliceOf(page)),
      countRefundsOf(db, userId),
    ])
    setPagingHeaders(request, reply, { page, total })
    return refunds.map(presentRefund)
  },
})

export const sandboxHandlers = (db: Database, sandbox: Sandbox): Handlers<typeof sandboxCalls> => ({
  payInSandbox: async ({ body: { razorpay_order_id: id } }) => {
    const payment = await selectPayment(db, id)
    if (payment?.provider !== sandbox.name) throw notFound('There is no such payment.')
    if (!PAYABLE.includes(payment.state)) throw invalid('This payment is already settled.')
    return sandbox.pay(id)
  },
})

const SCRIPT = new URL('../web/sandbox-checkout.ts', import.meta.url)

function sandboxScript() {
  const plain = stripTypeScriptTypes(readFileSync(SCRIPT, 'utf8'))
  return `(() => {'use strict';${plain}})()`
}

/** Serves the script of the sandbox's dialog, with its types removed when it is first requested. */
export function serveSandboxScript(app: FastifyInstance) {
  let script: string | undefined
  app.get(API_PREFIX + SANDBOX_SCRIPT, { schema: { hide: true } }, (_request, reply) => {
    script ??= sandboxScript()
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(script)
  })
}
