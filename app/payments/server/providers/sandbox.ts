/**
 * A provider inside the shop that speaks Razorpay's contract and moves no money. It remembers the payments that
 * are made in its own dialog, and captures each at once.
 */
import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { PaymentProof } from '#app/payments/contract.ts'
import { API_PREFIX, type Contract, endpoint } from '#app/shared/contract/endpoint.ts'
import { invalid, notFound } from '#app/shared/server/failure.ts'
import { fits } from '#app/shared/server/input/validation.ts'
import { childEnvironment } from '#app/shared/server/processes/child-environment.ts'
import {
  type Environment,
  isSigned,
  type KnownOrder,
  optional,
  type Proof,
  type ProviderOrder,
  type ProviderPayment,
  provider,
  type Records,
} from './provider.ts'
import { razorpayWebhook } from './razorpay.ts'
import { recordedRefunds } from './recorded-refunds.ts'

/** The call of its dialog. */
export const sandboxCalls = {
  payInSandbox: endpoint({
    method: 'POST',
    path: '/payment/sandbox/pay',
    access: 'public',
    summary: 'Acts as the provider: signs a payment of a started sandbox order',
    body: Type.Pick(PaymentProof, ['razorpay_order_id']),
    answer: PaymentProof,
  }),
} satisfies Contract

const SCRIPT = fileURLToPath(new URL('../../web/providers/sandbox.ts', import.meta.url))

const randomId = (kind: 'order' | 'pay') => `${kind}_${randomBytes(12).toString('hex')}`

/** The record of an order: the ids of its payments. */
const isPaid = fits(Type.Object({ payments: Type.Array(Type.String()) }))
/** Acts as the customer's bank: a payment of the order. */
async function pay({ records, isPayable }: Environment, orderId: string): Promise<string> {
  const payable = await isPayable(orderId)
  if (payable === null) throw notFound('There is no such payment.')
  if (!payable) throw invalid('This payment is already settled.')
  const paymentId = randomId('pay')
  await records.change(orderId, (former) => ({
    payments: [...(isPaid(former) ? former.payments : []), paymentId],
  }))
  return paymentId
}

async function lookUp(
  records: Records,
  { id: orderId, amountMinor, currency }: KnownOrder,
): Promise<ProviderOrder> {
  const { refunds } = recordedRefunds(records)
  const record = await records.read(orderId)
  const payments: ProviderPayment[] = []
  for (const id of isPaid(record) ? record.payments : []) {
    const { refundedMinor } = await refunds(id)
    const status = refundedMinor >= amountMinor ? 'refunded' : 'captured'
    payments.push({ id, amountMinor, currency, refundedMinor, status, paysOrder: true })
  }
  return { amountMinor, currency, payments }
}

/** The program that writes a script without its types. */
const STRIP = `const { readFileSync } = require('node:fs')
process.stdout.write(require('node:module').stripTypeScriptTypes(readFileSync(process.argv[1], 'utf8')))`

/** Another process reads it: Node's compiler of TypeScript would stay in the memory of this one, 17 MB. */
async function readScript(): Promise<string> {
  const words = ['--disable-warning=ExperimentalWarning', '--eval', STRIP, SCRIPT]
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: childEnvironment(),
  })
  return `(() => {'use strict';${stdout}})()`
}

/** What only an open sandbox has: its dialog, and its webhook. */
async function openDialog(
  environment: Environment,
  secret: string,
  sign: (payment: Omit<Proof, 'signature'>) => string,
) {
  // the modules of HTTP are no part of reading the settings
  const { serve } = await import('#app/shared/server/mount.ts')
  const calls = serve(sandboxCalls, {
    async payInSandbox({ body: { razorpay_order_id: orderId } }) {
      const paymentId = await pay(environment, orderId)
      return {
        razorpay_order_id: orderId,
        razorpay_payment_id: paymentId,
        razorpay_signature: sign({ orderId, paymentId }),
      }
    },
  })
  return { calls: [calls], readScript, readEvent: razorpayWebhook(secret) }
}

export const sandbox = provider({
  name: 'sandbox',
  label: 'the sandbox',
  settings: {
    PAYMENTS: Type.Optional(
      Type.Enum(['sandbox'], {
        description:
          'Set it to sandbox, without keys of a provider, to accept test payments that take no money. Their orders are marked as tests.',
      }),
    ),
    SANDBOX_SECRET: optional(
      'Secret that signs payments of the sandbox. When not set, the shop stores a random one in the database.',
    ),
  },
  rules: {},
  modeOf: ({ PAYMENTS }) => (PAYMENTS === 'sandbox' ? 'test' : null),
  signs: { live: '', test: 'they go to the sandbox' },
  setUp: 'PAYMENTS=sandbox',
  isTest: true,
  pages: { hosts: [], frames: [], payment: [] },
  async open({ PAYMENTS, SANDBOX_SECRET }, environment) {
    const { records, isDemo, isFirst, sharedSecret } = environment
    if (!isFirst) return null
    const isOpen = isDemo || PAYMENTS === 'sandbox'
    // where it is closed nothing is signed, and earlier payments are still refunded
    const secret = isOpen
      ? SANDBOX_SECRET || (await sharedSecret())
      : randomBytes(32).toString('hex')
    const sign = ({ orderId, paymentId }: Omit<Proof, 'signature'>) =>
      createHmac('sha256', secret).update(`${orderId}|${paymentId}`).digest('hex')
    return {
      mode: isOpen ? 'test' : 'none',
      publicKey: 'rzp_sandbox',
      script: `${API_PREFIX}/payment/sandbox/checkout.js`,
      dashboardLink: () => null,
      minimumMinor: () => 1,
      allowsRetries: () => true,
      newOrderId: () => randomId('order'),
      start: async () => randomId('order'),
      lookUp: (order) => lookUp(records, order),
      // refunds are processed at once, also of payments that were only signed
      ...recordedRefunds(records),
      verify: ({ orderId, paymentId, signature }) =>
        isSigned(secret, Buffer.from(`${orderId}|${paymentId}`), signature) &&
        paymentId.startsWith('pay_'),
      ...(isOpen && (await openDialog(environment, secret, sign))),
    }
  },
})
