import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Dice } from '../dice.ts'
import type { ProviderPayment, ProviderRefund } from './books.ts'

/** The shares of reports that go another way than they should; what is lost is never sent. */
export type Way = { lost: number; doubled: number; reversed: number; forged: number }

export const ON_TIME: Way = { lost: 0, doubled: 0, reversed: 0, forged: 0 }

type Counts = { sent: number; lost: number; doubled: number; reversed: number; forged: number }

/** The provider repeats what the shop did not take; a real one does so for a day. */
const TRIES = 5
const PAUSE_MS = 300

type Target = { address: () => string; secret: string; dice: Dice }

const payload = (event: string, payment: ProviderPayment, refund?: ProviderRefund) => {
  const { id, orderId: order_id, amount, currency, status } = payment
  const { receipt, givenBack: amount_refunded } = payment
  const entity = { id, entity: 'payment', order_id, amount, currency, amount_refunded, status }
  return {
    ...{ entity: 'event', account_id: 'acc_1', event, contains: ['payment'] },
    payload: {
      payment: { entity },
      ...(event.startsWith('order') && { order: { entity: { id: order_id, receipt } } }),
      ...(refund && { refund: { entity: { ...refund, payment_id: id } } }),
    },
  }
}

/** Brings the provider's reports to the shop, badly where it is told to. */
export function hireMessenger({ address, secret, dice }: Target) {
  const counts: Counts = { sent: 0, lost: 0, doubled: 0, reversed: 0, forged: 0 }
  /** Statuses with which the shop answered a forged report. */
  const answersToForged = new Map<number, number>()
  const underWay = new Set<Promise<void>>()
  let way = ON_TIME
  let waiting: (() => void)[] = []

  const post = (text: string, key: string, eventId: string) =>
    fetch(`${address()}/api/v1/payment/webhook/razorpay`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-razorpay-signature': createHmac('sha256', key).update(text).digest('hex'),
        'x-razorpay-event-id': eventId,
      },
      body: text,
    }).then(
      async (answer) => {
        await answer.text()
        return answer.status
      },
      () => 0,
    )

  const deliver = async (text: string, eventId: string) => {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if ((await post(text, secret, eventId)) === 200) return
      await setTimeout(PAUSE_MS * attempt)
    }
  }

  const track = (work: Promise<void>) => {
    underWay.add(work)
    work.finally(() => underWay.delete(work))
  }

  const send = (text: string) => {
    const eventId = randomUUID()
    counts.sent += 1
    track(deliver(text, eventId))
    if (dice.next() >= way.doubled) return
    counts.doubled += 1
    track(deliver(text, eventId))
  }

  /** What waited goes out, the last first. */
  const turnRound = () => {
    for (const go of waiting.toReversed()) go()
    waiting = []
  }

  return {
    counts,
    answersToForged,
    goes: (differently: Partial<Way>) => {
      way = { ...ON_TIME, ...differently }
    },
    /** The provider has something to tell. */
    report(event: string, payment: ProviderPayment, refund?: ProviderRefund) {
      const text = JSON.stringify(payload(event, payment, refund))
      if (dice.next() < way.lost) {
        counts.lost += 1
      } else if (dice.next() < way.reversed) {
        counts.reversed += 1
        waiting.push(() => send(text))
        if (waiting.length >= 8) turnRound()
      } else send(text)
    },
    /** A stranger claims that an order was paid. */
    async forge(orderId: string, amount: number) {
      if (dice.next() >= way.forged) return
      counts.forged += 1
      const text = JSON.stringify(
        payload('payment.captured', {
          ...{ id: `pay_forged_${randomUUID()}`, orderId, amount, currency: 'INR' },
          ...{ status: 'captured', receipt: '', givenBack: 0, refunded: false },
        }),
      )
      const status = await post(text, 'not-the-secret', randomUUID())
      answersToForged.set(status, (answersToForged.get(status) ?? 0) + 1)
    },
    /** Resolves when everything was brought, or given up. */
    async whenDone() {
      turnRound()
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
