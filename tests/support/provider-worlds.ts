/** The world of each payment provider, for the contract test: how its buyers pay, and what goes wrong. */
import { vi } from 'vitest'
import type { PaymentProof } from '#app/payments/contract.ts'
import type {
  Delivery,
  Environment,
  OpenedProvider,
  Proof,
} from '#app/payments/server/providers/provider.ts'
import { razorpay } from '#app/payments/server/providers/razorpay.ts'
import { recordsOf } from '#app/payments/server/providers/records-store.ts'
import { sandbox } from '#app/payments/server/providers/sandbox.ts'
import type { Database } from '#db/schema.ts'
import { SECRET } from './payments.ts'
import { startFakeRazorpay } from './razorpay/fake-razorpay.ts'
import type { Call } from './razorpay/network.ts'
import { paymentOf, report, signatureOf } from './webhook.ts'

type Log = { debug: () => void; warn: () => void; error: () => void }

export type World = {
  provider: OpenedProvider
  /** A buyer pays: the money is authorised, or captured where the provider captures at once. */
  pay: (orderId: string) => Promise<Proof>
  /** A signed delivery of the webhook about a captured payment of 12.50, and the same signed by another. */
  report: (orderId: string, paymentId: string, event?: string) => Delivery
  /** What goes wrong between the shop and the provider; null without a network. */
  network: {
    loseAnswer: (call: CallName) => void
    refuse: (call: CallName, status: number, sentence: string) => void
    answer: (call: CallName, body: unknown) => void
    /** The answer is a right one to the request of another. */
    answerOfAnother: (call: CallName) => void
    /** The answer never comes. */
    hang: (call: CallName) => void
    /** From now on each answer comes twice on its connection. */
    doubleAll: () => void
    restore: () => void
    /** How often money was refunded, whatever was answered. */
    refundsOf: (paymentId: string) => number
  } | null
  close: () => Promise<unknown>
}

/** The calls of the port that use the network. */
export type CallName = 'start' | 'lookUp' | 'capture' | 'refund' | 'refunds'

const proofOf = (proof: PaymentProof): Proof => ({
  orderId: proof.razorpay_order_id,
  paymentId: proof.razorpay_payment_id,
  signature: proof.razorpay_signature,
})

const environmentOf = (db: Database, name: string, log: Log): Environment => ({
  log,
  records: recordsOf(db, name),
  isDemo: false,
  isFirst: true,
  isPayable: async () => true,
  sharedSecret: async () => SECRET,
  // the provider waits for ten seconds, and the test does not
  fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(400) }),
})

const deliver =
  (secret: string): World['report'] =>
  (orderId, paymentId, event = 'payment.captured') => {
    const text = JSON.stringify(report(event, paymentOf(orderId, paymentId)))
    const signature = signatureOf(text, secret)
    const headers = { 'x-razorpay-signature': signature, 'x-razorpay-event-id': `evt_${paymentId}` }
    return { raw: Buffer.from(text), headers }
  }

const RAZORPAY_CALLS: Record<CallName, Call> = {
  start: 'create order',
  lookUp: 'list payments',
  capture: 'capture',
  refund: 'refund',
  refunds: 'list refunds',
}

/** Right answers to the requests of another, about an order, its payment and its refund. */
function answersOfAnother({ account }: Awaited<ReturnType<typeof startFakeRazorpay>>) {
  const order = account.createOrder({ amount: 1250, currency: 'INR', receipt: 'another' })
  const payment = account.capture(account.authorise(account.attempt(order.id, 0)).id)
  const refund = account.acceptRefund(payment.id, { amount: 100 })
  const lists = { lookUp: { items: [payment] }, refunds: { items: [refund] } }
  return { start: order, capture: payment, refund, ...lists }
}

async function razorpayWorld(db: Database, log: Log): Promise<World> {
  const fake = await startFakeRazorpay(() => '')
  fake.webhooks.setDelivery({ lost: 1 })
  const { settings, network, account } = fake
  const provider = await razorpay.open(settings, environmentOf(db, 'razorpay', log))
  if (!provider) throw new Error('Razorpay is not open.')
  const others = answersOfAnother(fake)
  return {
    provider,
    pay: async (orderId) => proofOf(fake.authorise(orderId)),
    report: deliver(settings.RAZORPAY_WEBHOOK_SECRET),
    network: {
      loseAnswer: (call) => network.loseAnswer(RAZORPAY_CALLS[call]),
      refuse: (call, status, sentence) => network.refuse(RAZORPAY_CALLS[call], status, sentence),
      answer: (call, body) => network.answer(RAZORPAY_CALLS[call], body),
      answerOfAnother: (call) => network.answer(RAZORPAY_CALLS[call], others[call]),
      hang: (call) => network.delay(RAZORPAY_CALLS[call], { beforeMs: 60_000 }),
      doubleAll() {
        network.failing.kind = 'twice'
      },
      restore: network.restore,
      refundsOf: (paymentId) => account.refundsOf(paymentId).length,
    },
    close: fake.close,
  }
}

async function sandboxWorld(db: Database, log: Log): Promise<World> {
  const settings = { PAYMENTS: 'sandbox' as const, SANDBOX_SECRET: SECRET }
  const provider = await sandbox.open(settings, environmentOf(db, 'sandbox', log))
  const payInSandbox = provider?.calls?.[0]?.handlers.payInSandbox
  if (!provider || !payInSandbox) throw new Error('The sandbox is not open.')
  return {
    provider,
    pay: async (orderId) =>
      proofOf((await payInSandbox({ body: { razorpay_order_id: orderId } })) as PaymentProof),
    report: deliver(SECRET),
    network: null,
    close: async () => {},
  }
}

/** The world of each provider of the list. */
export const WORLDS: Record<string, (db: Database, log: Log) => Promise<World>> = {
  razorpay: razorpayWorld,
  sandbox: sandboxWorld,
}

export const mockLog = () => ({ debug: vi.fn(), warn: vi.fn(), error: vi.fn() })
