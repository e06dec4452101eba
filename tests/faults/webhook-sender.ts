import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ProviderPayment, ProviderRefund } from './provider-state.ts'
import type { Random } from './random.ts'

/** The probabilities of what may go wrong with a webhook; a lost one is never sent. */
export type Delivery = { lost: number; doubled: number; reversed: number }

const RELIABLE: Delivery = { lost: 0, doubled: 0, reversed: 0 }

/** Razorpay retries a webhook for a day. */
const ATTEMPTS = 5
const PAUSE_MS = 300
/** How many webhooks are delayed before they are sent in reverse order. */
const REVERSED_BATCH = 8

type Options = { address: () => string; secret: string; random: Random }

const payloadOf = (event: string, payment: ProviderPayment, refund?: ProviderRefund) => {
  const { id, orderId, amount, currency, status, receipt, refundedAmount } = payment
  const entity = {
    id,
    entity: 'payment',
    order_id: orderId,
    amount,
    currency,
    amount_refunded: refundedAmount,
    status,
  }
  return {
    entity: 'event',
    account_id: 'acc_1',
    event,
    contains: ['payment'],
    payload: {
      payment: { entity },
      ...(event.startsWith('order') && { order: { entity: { id: orderId, receipt } } }),
      ...(refund && { refund: { entity: { ...refund, payment_id: id } } }),
    },
  }
}

async function post(url: string, { text, secret, eventId }: Record<string, string>) {
  const signature = createHmac('sha256', secret ?? '').update(text ?? '')
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signature.digest('hex'),
    'x-razorpay-event-id': eventId ?? '',
  }
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: text ?? '' })
    await answer.text()
    return answer.status
  } catch {
    return 0
  }
}

/** Sends the provider's webhooks to the shop, unreliably where it is set so. */
export function openWebhookSender({ address, secret, random }: Options) {
  const counts = { lost: 0 }
  const inFlight = new Set<Promise<void>>()
  let delivery = RELIABLE
  let keptBack: (() => void)[] = []
  const url = () => `${address()}/api/v1/payment/webhook/razorpay`

  const deliver = async (text: string, eventId: string) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if ((await post(url(), { text, secret, eventId })) === 200) return
      await setTimeout(PAUSE_MS * attempt)
    }
  }
  const track = (work: Promise<void>) => {
    inFlight.add(work)
    work.finally(() => inFlight.delete(work))
  }
  const send = (text: string) => {
    const eventId = randomUUID()
    track(deliver(text, eventId))
    if (random.chance(delivery.doubled)) track(deliver(text, eventId))
  }
  const sendReversed = () => {
    for (const sendOne of keptBack.toReversed()) sendOne()
    keptBack = []
  }

  return {
    counts,
    /** Sets what goes wrong from now on; the rest is reliable. */
    setDelivery: (unreliable: Partial<Delivery>) => {
      delivery = { ...RELIABLE, ...unreliable }
    },
    report(event: string, payment: ProviderPayment, refund?: ProviderRefund) {
      const text = JSON.stringify(payloadOf(event, payment, refund))
      if (random.chance(delivery.lost)) {
        counts.lost += 1
      } else if (random.chance(delivery.reversed)) {
        keptBack.push(() => send(text))
        if (keptBack.length >= REVERSED_BATCH) sendReversed()
      } else send(text)
    },
    /** Resolves when every webhook was delivered, or given up. */
    async whenDone() {
      sendReversed()
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}
