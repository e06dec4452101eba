/** The parts that the actors of a story share: the provider, and requests that are processes of their own. */
import type { Scheduler } from 'fast-check'
import { vi } from 'vitest'
import {
  type OpenProvider,
  openProviders,
  type PaymentContext,
  providersOf,
} from '#app/payments/server/context.ts'
import { bankTransfer } from '#app/payments/server/providers/bank-transfer.ts'
import { processWebhook } from '#app/payments/server/webhook/webhook.ts'
import { Failure } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import type { WebhookEvent } from '../support/razorpay/webhooks.ts'
import { signatureOf } from '../support/webhook.ts'
import { Crash, openGates, type Rewrite } from './gates.ts'
import type { StoryPlan } from './plan.ts'
import { openProvider, type RewriteRequest } from './provider.ts'
import type { EmbeddedStories } from './story-database.ts'

const RULES = { providerCurrency: null, reservationMinutes: 15, retrySeconds: 60 }
/** How many steps a job waits for an order, or for the end of a refund. */
export const PATIENCE = 40

const SILENT = { debug() {}, warn() {}, error() {} }

/** A bug of the shop, planted from outside. */
export type Bug = {
  rewrite?: Rewrite
  provider?: (provider: OpenProvider) => OpenProvider
  /** In the requests to the provider. */
  request?: RewriteRequest
  /** The plan of the stories that find a bug which is rare otherwise. */
  plan?: Partial<StoryPlan>
  /** Statements that break the schema, and that mend it. */
  schema?: { broken: string; mended: string }
}

/** Dates are faked, also for the embedded database, whose clock is that of JavaScript. */
export const advanceClock = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)

const deliver = (
  db: Database,
  context: PaymentContext,
  { id: eventId, text }: Pick<WebhookEvent, 'id' | 'text'>,
) =>
  processWebhook(db, context, 'razorpay', {
    raw: Buffer.from(text),
    headers: { 'x-razorpay-signature': signatureOf(text), 'x-razorpay-event-id': eventId },
  })

export type Story = ReturnType<typeof openStory>

export function openStory(
  database: EmbeddedStories,
  plan: StoryPlan,
  { scheduler, bug }: { scheduler: Scheduler; bug: Bug },
) {
  const gates = openGates(scheduler, plan.crashAt)
  /** The faults that were found, a sentence each. */
  const broken: string[] = []
  /** The orders that a buyer was told of. */
  const confirmed: string[] = []
  const faults = [...plan.faults]
  const deliveries = [...plan.deliveries]
  const numbers = new Map<string, number>()
  const { rewrite = (text) => text } = bug

  function nameOf(what: string) {
    const number = (numbers.get(what) ?? 0) + 1
    numbers.set(what, number)
    return `${what} ${number}`
  }

  const events: WebhookEvent[] = []
  const send = (event: WebhookEvent) =>
    request('webhook', (db, context) => deliver(db, context, event))
  const report = (event: WebhookEvent) => {
    events.push(event)
    // while the shop recovers, every webhook is lost
    const copies = gates.isOpen() ? 0 : (deliveries.shift() ?? 1)
    for (let copy = 0; copy < copies; copy += 1) send(event)
  }
  const provider = openProvider(report, plan)
  provider.refunds.failing = plan.failingRefunds

  async function contextOf(
    db: Database,
    pass: (step: string) => Promise<void>,
  ): Promise<PaymentContext> {
    const byHand = await openProviders(db, {}, { log: SILENT, isDemo: false }, [bankTransfer])
    const real = await provider.providerOf(pass, () => faults.shift() ?? 'none', bug.request)
    return {
      providers: providersOf([bug.provider?.(real) ?? real, ...byHand]),
      log: SILENT,
      ...RULES,
    }
  }

  /** Runs a request or a job as a process of its own; undefined when it fails, or has crashed. */
  async function request<Answer>(
    what: string,
    work: (db: Database, context: PaymentContext) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const process = nameOf(what)
    const pass = (step: string) => gates.pass(process, step)
    try {
      const db = gates.databaseOf(process, database.pglite, rewrite)
      const answer = await work(db, await contextOf(db, pass))
      await pass('answer')
      return answer
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!(error instanceof Crash)) gates.note(process, message)
      if (!(error instanceof Failure || gates.hasCrashed(process)))
        broken.push(`${process} fails: ${message}`)
      return undefined
    }
  }

  /** The provider reports the end of the first refund again, as another event. */
  async function repeatRefundEvent() {
    const first = () => events.find(({ name }) => name.startsWith('refund.'))
    for (let left = PATIENCE; left > 0 && !first(); left -= 1)
      await gates.waitFor('the end of a refund')
    const event = first()
    if (event) await send({ ...event, id: nameOf('repeated') })
  }

  /** The provider does not fail any more. */
  const endFaults = () => faults.splice(0)

  const ends = { endFaults, repeatRefundEvent }
  return { database, plan, gates, provider, broken, confirmed, request, ...ends }
}
