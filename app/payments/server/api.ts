import type { FastifyInstance } from 'fastify'
import { guessLimit } from '#app/coupons/server/guesses.ts'
import { settingOf } from '#app/settings/server/service.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { paymentCalls } from '../contract.ts'
import type { refundCalls } from '../refund-contract.ts'
import type { OpenProvider, PaymentContext } from './context.ts'
import { presentRefund } from './presenter.ts'
import { countRefundsOf, selectRefundsOf } from './refunds/refund-list-store.ts'
import { cancelPayment, startPayment } from './service.ts'
import { verifyPayment } from './verification.ts'
import { processWebhook } from './webhook/webhook.ts'

type Dependencies = {
  db: Database
  context: PaymentContext
  counters: CounterStore
  /** Whether reservations of networks are limited. */
  limitsNetworks: boolean
}

export const paymentHandlers = ({
  db,
  context,
  counters,
  limitsNetworks,
}: Dependencies): Handlers<typeof paymentCalls> => ({
  startPayment({ body, caller: { userId }, request }) {
    const limitGuesses = guessLimit(counters, { address: request.ip, userId })
    const networks = limitsNetworks ? networksOf(request.ip) : null
    return startPayment(db, context, { ...body, userId, networks, limitGuesses })
  },
  verifyPayment: async ({ body: { cart, ...proof }, caller }) => ({
    success: true,
    message: 'Payment Successful',
    order: await verifyPayment(db, context, { proof, cart, buyerId: caller.userId }),
  }),
  cancelPayment: async ({ body: { razorpay_order_id: providerOrderId, releaseOnly }, caller }) => {
    await cancelPayment(db, context, { providerOrderId, releaseOnly, userId: caller.userId })
    return { success: true }
  },
  async getInstructions({ params: { method } }) {
    const { renderText } = await import('#app/settings/server/text.ts')
    const { [method]: settings } = await settingOf(db, 'paymentMethods')
    return { nodes: renderText(settings.instructions) }
  },
  handleWebhook: async ({ params: { provider }, raw = Buffer.alloc(0), request }) => {
    await processWebhook(db, context, provider, { raw, headers: request.headers })
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

/** Serves the scripts of the dialogs that providers bring, each made when it is first requested. */
export const serveScripts = (providers: OpenProvider[]) => (app: FastifyInstance) => {
  for (const { name, readScript } of providers) {
    if (!readScript) continue
    let script: string | undefined
    app.get(
      `${API_PREFIX}/payment/${name}/checkout.js`,
      { schema: { hide: true } },
      async (_request, reply) => {
        script ??= await readScript()
        return reply
          .type('text/javascript; charset=utf-8')
          .header('cache-control', 'public, max-age=300')
          .send(script)
      },
    )
  }
}
