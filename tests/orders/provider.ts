/**
 * The provider of the stories: the shop's own client of Razorpay, and the fake Razorpay's account, without
 * a network between them.
 */
import type { OpenProvider } from '#app/payments/server/context.ts'
import { razorpay } from '#app/payments/server/providers/razorpay.ts'
import { openAccount } from '../support/razorpay/account.ts'
import { answer, parseRequest } from '../support/razorpay/api.ts'
import type { NewId } from '../support/razorpay/entities.ts'
import { eventOf, type WebhookEvent } from '../support/razorpay/webhooks.ts'
import { HOOK_SECRET } from '../support/webhook.ts'

/** Faults of a call: it does not arrive, or its answer is lost. */
export type Fault = 'none' | 'no request' | 'no answer'

const SETTINGS = {
  RAZORPAY_KEY_ID: 'rzp_live_story',
  RAZORPAY_KEY_SECRET: 'key-secret',
  RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET,
  RAZORPAY_API_URL: 'http://localhost',
}
const ENVIRONMENT = {
  log: { debug() {}, warn() {}, error() {} },
  records: { read: async () => undefined, change: async () => {} },
  isDemo: false,
  isFirst: true,
  isPayable: async () => null,
  sharedSecret: async () => '',
}

/** The events that the shop needs. */
const SUBSCRIBED = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'refund.processed',
  'refund.failed',
]

/** Lists of refunds that lag do so for ten minutes. */
const LAG_MS = 10 * 60_000

export type FakeProvider = ReturnType<typeof openProvider>

/** Changes a request on its way to the provider: a planted bug. */
export type RewriteRequest = (request: Request) => Request

/** Opens the provider; `report` gets the events for its webhook. */
export function openProvider(report: (event: WebhookEvent) => void, { listsLag = false } = {}) {
  const numbers = new Map<string, number>()
  const newId: NewId = (kind) => {
    const number = (numbers.get(kind) ?? 0) + 1
    numbers.set(kind, number)
    return `${kind}_${number}`
  }
  const account = openAccount({
    secret: SETTINGS.RAZORPAY_KEY_SECRET,
    newId,
    report(name, subject) {
      if (SUBSCRIBED.includes(name)) report(eventOf(newId('evt'), name, subject))
    },
  })
  // the shop refunds a second payment of an order, should the provider not do it
  account.rules.takesSecondPayments = true
  account.lists.lagMs = listsLag ? LAG_MS : 0
  const refunds = { failing: 0, made: () => account.refunds.length }

  /** A buyer pays an order: the bank authorises it, and the merchant's dashboard may capture it. */
  function pay(orderId: string, { moreMinor = 0, isCaptured = false } = {}) {
    const payment = account.authorise(account.attempt(orderId, moreMinor))
    if (isCaptured) account.capture(payment.id)
    return payment
  }

  /** The bank ends the refunds that are pending, and the provider reports each. */
  function endRefunds() {
    for (const refund of account.refunds.filter(({ status }) => status === 'pending')) {
      account.endRefund(refund, refunds.failing > 0 ? 'failed' : 'processed')
      refunds.failing -= 1
    }
  }

  /** The bank releases the money that was not captured. */
  function endAuthorisations() {
    for (const payment of account.payments.values())
      if (payment.status === 'authorized') account.release(payment)
  }

  /**
   * The provider as one process uses it: a gate before each call's effect and one before its answer, and a
   * fault of some.
   */
  async function providerOf(
    pass: (step: string) => Promise<void>,
    nextFault: () => Fault,
    rewrite: RewriteRequest = (request) => request,
  ): Promise<OpenProvider> {
    const send = async (...sent: Parameters<typeof fetch>) => {
      const rewritten = rewrite(new Request(...sent))
      const { method, url, headers } = rewritten
      const key = headers.get('x-refund-idempotency')
      const request = parseRequest({ method, url, text: await rewritten.text(), key })
      let fault: Fault | undefined
      const answered = await answer(account, request, {
        before: async () => {
          await pass(`provider ${request.call}`)
          fault = nextFault()
          if (fault === 'no request') throw new Error('The provider was not reached.')
        },
        after: () => pass(`provider answers ${request.call}`),
      })
      if (fault === 'no answer') throw new Error('The answer was lost.')
      return Response.json(answered.body, { status: answered.status })
    }
    const { name, label, open } = razorpay
    const opened = await open(SETTINGS, { ...ENVIRONMENT, fetch: send })
    if (!opened) throw new Error('The provider is not open.')
    return { ...opened, name, label }
  }

  return {
    account,
    refunds,
    proofOf: account.proofOf,
    pay,
    endRefunds,
    endAuthorisations,
    providerOf,
  }
}
