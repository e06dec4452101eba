/** The end of a story: the shop recovers, and agrees with the provider about all money. */
import { sql } from 'kysely'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import type { Row } from '#db/schema.ts'
import type { Payment as Money } from '../support/razorpay/entities.ts'
import { refunds } from './actors.ts'
import { advanceClock, type Story } from './open-story.ts'

/** Minutes until each round of recovery: the last polls of a settled payment are three days later. */
const ROUNDS = [20, 20, 7 * 60, 4 * 24 * 60, 7 * 60, 4 * 24 * 60, 4 * 24 * 60]

type Capture = Pick<
  Row<'captures'>,
  'provider_payment_id' | 'purpose' | 'issue' | 'amount_minor' | 'voided_at'
> & {
  /** The provider's order for which it came in. */
  for_order: string | null
  total_minor: number | null
  /** The sum of the refunds that the shop requested, and that were not given up. */
  asked_minor: number
}

async function capturesOf({ database }: Story): Promise<Capture[]> {
  const { rows } = await sql<Capture>`
    select provider_payment_id, purpose, issue, captures.amount_minor, voided_at,
      payments.provider_order_id as for_order, total_minor,
      (select coalesce(sum(amount_minor), 0)::integer from refunds
        where capture_id = captures.id and reason is not null and state <> 'given_up') as asked_minor
    from captures
    left join payments on payments.id = captures.payment_id
    left join orders on orders.payment_id = payments.id and purpose = 'order'
    where received_by is null`.execute(database.db)
  return rows
}

/** The payments, refunds and confirmed orders that are not as they must be at the end. */
async function openRows({ database, confirmed, provider }: Story): Promise<string[]> {
  const orders = [...provider.account.orders.values()].map(({ id, amount }) => ({ id, amount }))
  const { rows } = await sql<{ what: string }>`
    select 'the payment ' || id || ' is open' as what from payments where state = 'open'
    union all select 'the refund ' || id || ' is ' || state from refunds
      where state in ('pending', 'accepted', 'failed')
    union all select 'the credit note of ' || refund_id || ' is due' from credit_notes_due
    union all select provider_order_id || ' is to be paid with ' || amount
      from payments join jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as opened (id text, amount bigint)
        on opened.id = provider_order_id
      where amount <> amount_minor
    union all select 'the order ' || id || ' is missing' from unnest(${confirmed}::uuid[]) as confirmed (id)
      where not exists (select from orders where orders.id = confirmed.id)`.execute(database.db)
  return rows.map(({ what }) => what)
}

/** How the shop and the provider differ about this money. */
function* differences(
  money: Money,
  capture: Capture | undefined,
  refunded: number,
): Generator<string, void> {
  const isOfOrder = capture?.purpose === 'order'
  if (!money.captured) {
    // released or still authorised: the shop has decided against it
    if (money.status !== 'failed' && !capture) yield 'was authorised, and the shop does not know it'
    // the merchant has refunded the order, or is told that its money never came
    if (isOfOrder && capture.voided_at === null) yield 'has an order, and was never captured'
    return
  }
  if (!capture) {
    yield 'was captured, and the shop does not know it'
    return
  }
  if (capture.voided_at !== null) yield 'was captured, and counts as released'
  if (capture.amount_minor !== money.amount) yield `counts as ${capture.amount_minor}`
  if (capture.for_order !== money.order_id) yield `counts for ${capture.for_order}`
  if (!isOfOrder && refunded !== money.amount)
    yield `bought nothing, and ${refunded} of ${money.amount} is refunded`
  if (!isOfOrder) return
  // the merchant is told of an order whose proof came before its money, which is another amount
  const isNoted = capture.issue === 'amount_mismatch' || refunded === money.amount
  if (capture.total_minor !== money.amount && !isNoted)
    yield `paid an order of ${capture.total_minor}`
  if (refunded !== capture.asked_minor)
    yield `has ${refunded} refunded instead of ${capture.asked_minor}`
}

/** Every way in which the money of the provider is not an order, a refund, or open. */
function* unsettled({ provider }: Story, captures: Capture[]): Generator<string, void> {
  const { payments: money, refundedOf } = provider.account
  for (const one of money.values()) {
    const capture = captures.find(({ provider_payment_id: id }) => id === one.id)
    for (const difference of differences(one, capture, refundedOf(one.id)))
      yield `${one.id} ${difference}`
  }
  for (const { provider_payment_id: id } of captures)
    if (!money.has(id)) yield `${id} is money that the provider does not have`
}

/** Runs the jobs without faults and webhooks, until everything is settled; answers what is not. */
export async function settle(story: Story): Promise<string[]> {
  const { request, provider } = story
  story.endFaults()
  let left: string[] = []
  for (const [round, minutes] of ROUNDS.entries()) {
    advanceClock(minutes)
    await request('expiry', (db) => releaseExpired(db))
    await request('polls', reconcile)
    await request('refunds', refunds)
    await request('invoices', (db) => issueInvoices(db))
    provider.endRefunds()
    left = [...unsettled(story, await capturesOf(story)), ...(await openRows(story))]
    if (left.length === 0) return []
    // the bank holds it for longer than the shop takes to poll
    if (round > 1) provider.endAuthorisations()
  }
  return left
}
