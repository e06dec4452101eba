import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaymentProof } from '#app/payments/contract.ts'
import { openAccount } from './account.ts'
import { openApi } from './api.ts'
import type { Payment, Refund } from './entities.ts'
import { openNetwork } from './network.ts'
import { type Random, seededRandom } from './random.ts'
import { openWebhooks } from './webhooks.ts'

const KEY_SECRET = 'key-secret-of-the-fake'
const WEBHOOK_SECRET = 'hook-secret-of-the-fake'

export type FakeRazorpay = Awaited<ReturnType<typeof startFakeRazorpay>>

/**
 * Starts a server that behaves as Razorpay's documentation says: the calls of its API that the shop makes,
 * and its webhooks. Money is what `account` says, whatever is answered or reported. A test acts as the
 * buyer (`pay`, `decline`, …), as the bank and as the merchant in the dashboard; `network` delays, loses and
 * refuses calls; `webhooks` holds, repeats and loses events, which go to `shop`. `random` decides where
 * shares are set.
 */
export async function startFakeRazorpay(shop: () => string, random: Random = seededRandom(1)) {
  const webhooks = openWebhooks({ address: shop, secret: WEBHOOK_SECRET, random })
  const network = openNetwork(random)
  /** The share of payments that the bank authorises too late for an automatic capture. */
  const banking = { authorisedOnly: 0 }
  /** The share of refunds that fail, and whether they stay pending until `endRefund`. */
  const refunding = { failing: 0, staysPending: false }
  const account = openAccount({
    secret: KEY_SECRET,
    report: webhooks.report,
    onRefund(refund) {
      const status = random.chance(refunding.failing) ? 'failed' : 'processed'
      if (!refunding.staysPending) account.endRefund(refund, status)
    },
  })
  const api = openApi({ account, network, random, secret: KEY_SECRET })

  const server = createServer((request, response) => {
    api.handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = {
    RAZORPAY_KEY_ID: 'rzp_test_fake',
    RAZORPAY_KEY_SECRET: KEY_SECRET,
    RAZORPAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
    RAZORPAY_API_URL: `http://127.0.0.1:${port}`,
  }

  /** A buyer pays in the dialog, perhaps with a fee of the provider: authorised, not captured yet. */
  const authorise = (orderId: string, { fee = 0 } = {}): PaymentProof =>
    account.proofOf(account.authorise(account.attempt(orderId, fee)))

  return {
    account,
    network,
    webhooks,
    banking,
    refunding,
    /** Every request that came in, the oldest first. */
    requests: api.requests,
    /** The settings of a shop that uses it with test keys. */
    settings,
    /** Settings with live keys: orders are sales. Limits are on then. */
    liveSettings: { ...settings, RAZORPAY_KEY_ID: 'rzp_live_fake', RATE_LIMIT: 'on' },
    authorise,
    /** A buyer pays in the dialog; the money is captured, unless the order says otherwise. */
    pay(orderId: string, { fee = 0 } = {}): PaymentProof {
      const proof = authorise(orderId, { fee })
      if (!random.chance(banking.authorisedOnly))
        account.captureAutomatically(account.paymentWith(proof.razorpay_payment_id))
      return proof
    },
    /** The bank declines the buyer's attempt; answers the failed payment. */
    decline: (orderId: string, reason = 'Your payment was declined by the bank.'): Payment =>
      account.decline(account.attempt(orderId, 0), reason),
    /**
     * The bank authorises a payment that counted as failed, so many minutes after the attempt: it is captured
     * within the 12 minutes of the order's settings.
     */
    authoriseLate(paymentId: string, { minutes = 11 } = {}): PaymentProof {
      const payment = account.authorise(account.paymentWith(paymentId))
      account.captureAutomatically(payment, minutes)
      return account.proofOf(payment)
    },
    /** Ends an authorised payment that was not captured in time: the buyer has the money back. */
    release: (paymentId: string): Refund => account.release(account.paymentWith(paymentId)),
    /** The bank ends a pending refund, and Razorpay reports it. */
    endRefund: account.endRefund,
    /** The merchant refunds an amount in the dashboard, or all that is left. */
    refundElsewhere(paymentId: string, amount?: number): Refund {
      const refund = account.acceptRefund(paymentId, { ...(amount !== undefined && { amount }) })
      account.endRefund(refund, 'processed')
      return refund
    },
    /** Lists of refunds lack those of the last so many milliseconds. */
    lagLists(ms: number) {
      account.lists.lagMs = ms
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
