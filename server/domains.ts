import type { FastifyInstance } from 'fastify'
import { findCaller } from '#app/accounts/server/sessions.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { orderHandlers } from '#app/orders/server/api.ts'
import { paymentCalls, sandboxCalls } from '#app/payments/contract.ts'
import { paymentHandlers, sandboxHandlers, serveSandboxScript } from '#app/payments/server/api.ts'
import { chooseProvider } from '#app/payments/server/choose-provider.ts'
import type { Contract } from '#app/shared/contract/endpoint.ts'
import { type Handlers, type Identify, mount } from '#app/shared/server/mount.ts'
import type { AppOptions } from './app.ts'

/** Mounts every domain's contract with its handlers. */
export async function mountDomains(api: FastifyInstance, { db, config }: AppOptions) {
  const identify: Identify = (token) => findCaller(db, token)
  const open = <C extends Contract>(contract: C, handlers: Handlers<C>) =>
    mount(api, contract, handlers, identify)
  const { provider, sandbox } = await chooseProvider(
    {
      keyId: config.RAZORPAY_KEY_ID,
      keySecret: config.RAZORPAY_KEY_SECRET,
      sandboxSecret: config.SANDBOX_SECRET,
      dataDir: config.DATA_DIR,
    },
    api.log,
  )
  open(orderCalls, orderHandlers({ db }))
  open(
    paymentCalls,
    paymentHandlers({ db, provider, currency: config.CURRENCY_CHARGE, log: api.log }),
  )
  if (sandbox) {
    open(sandboxCalls, sandboxHandlers(db, sandbox))
    serveSandboxScript(api)
  }
}
