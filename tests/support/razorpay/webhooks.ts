/** Razorpay's webhooks: signed, delivered at once by default, or when a test says so. */
import { setTimeout } from 'node:timers/promises'
import { hookPath, signatureOf } from '../webhook.ts'
import { type Dispute, type Order, type Payment, type Refund, randomId } from './entities.ts'
import type { Random } from './random.ts'

/** Razorpay retries a webhook for a day. */
const ATTEMPTS = 5
const PAUSE_MS = 300
/** How many webhooks are delayed before they are sent in reverse order. */
const REVERSED_BATCH = 8

/** The subject of an event. */
export type Subject = { payment?: Payment; order?: Order; refund?: Refund; dispute?: Dispute }
export type Report = (name: string, subject: Subject) => void

/** An event as it was when it happened. */
export type WebhookEvent = { id: string; name: string; text: string }

/** How the shop answered a webhook: 0 when it did not. */
export type Delivery = { name: string; status: number; ms: number }

/** The probabilities of what may go wrong with a webhook; a lost one is never sent. */
export type Unreliability = { lost: number; doubled: number; reversed: number }
const RELIABLE: Unreliability = { lost: 0, doubled: 0, reversed: 0 }

/** The event as Razorpay sends it. */
export function eventOf(id: string, name: string, subject: Subject): WebhookEvent {
  const entities = Object.entries(subject)
  const payload = Object.fromEntries(entities.map(([kind, entity]) => [kind, { entity }]))
  const contains = entities.map(([kind]) => kind)
  const body = { entity: 'event', account_id: 'acc_1', event: name, contains, payload }
  return { id, name, text: JSON.stringify(body) }
}

async function post(address: string, { id, name, text }: WebhookEvent, secret: string) {
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signatureOf(text, secret),
    'x-razorpay-event-id': id,
  }
  const startedAt = performance.now()
  let status = 0
  try {
    const url = `${address}/api/v1${hookPath('razorpay')}`
    const answer = await fetch(url, { method: 'POST', headers, body: text })
    await answer.text()
    status = answer.status
  } catch {
    // the shop is down: it is delivered again
  }
  return { name, status, ms: Math.round(performance.now() - startedAt) }
}

type Options = { address: () => string; secret: string; random: Random }

export type Webhooks = ReturnType<typeof openWebhooks>

/** Opens the webhooks to the shop at `address`. */
export function openWebhooks({ address, secret, random }: Options) {
  const counts = { lost: 0 }
  const events: WebhookEvent[] = []
  const deliveries: Delivery[] = []
  const inFlight = new Set<Promise<void>>()
  let unreliability = RELIABLE
  let reversed: WebhookEvent[] = []
  let held: WebhookEvent[] | null = null

  /** Sends an event once, signed with the webhook's secret or another one. */
  async function deliver(event: WebhookEvent, signedWith = secret): Promise<Delivery> {
    const delivery = await post(address(), event, signedWith)
    deliveries.push(delivery)
    return delivery
  }
  async function deliverUntilTaken(event: WebhookEvent) {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if ((await deliver(event)).status === 200) return
      await setTimeout(PAUSE_MS * attempt)
    }
  }
  const track = (work: Promise<void>) => {
    inFlight.add(work)
    work.finally(() => inFlight.delete(work))
  }
  const send = (event: WebhookEvent) => {
    track(deliverUntilTaken(event))
    if (random.chance(unreliability.doubled)) track(deliverUntilTaken(event))
  }
  const sendReversed = () => {
    for (const event of reversed.toReversed()) send(event)
    reversed = []
  }

  const report: Report = (name, subject) => {
    const event = eventOf(randomId('evt'), name, subject)
    events.push(event)
    if (held) held.push(event)
    else if (random.chance(unreliability.lost)) counts.lost += 1
    else if (random.chance(unreliability.reversed)) {
      reversed.push(event)
      if (reversed.length >= REVERSED_BATCH) sendReversed()
    } else send(event)
  }

  return {
    counts,
    /** Everything that happened, the oldest first. */
    events,
    /** Every delivery, with the shop's answer. */
    deliveries,
    report,
    deliver,
    /** The newest event of a name. Throws when there is none. */
    newest(name: string): WebhookEvent {
      const found = events.findLast((event) => event.name === name)
      if (!found) throw new Error(`There is no event ${name}.`)
      return found
    },
    /** From now on webhooks are kept, until a test delivers them, or `resume` does. */
    hold() {
      held ??= []
    },
    /** Delivers what is kept, in its order, and from now on each at once. */
    resume() {
      for (const event of held ?? []) send(event)
      held = null
    },
    /** Sets what goes wrong from now on; the rest is reliable. */
    setDelivery(unreliable: Partial<Unreliability>) {
      unreliability = { ...RELIABLE, ...unreliable }
    },
    /** Resolves when every webhook was delivered, or given up. */
    async whenDone() {
      sendReversed()
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}
