/** Refunds promise that money which bought nothing goes back, however often that has to be tried and asked about. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Row } from '#db/schema.ts'
import { PAYMENT_FAILED } from '../contract.ts'
import type { Desk } from './desk.ts'
import type { Refund } from './providers/provider.ts'
import {
  markRefunded,
  markRefunding,
  noteFailedRefund,
  noteRefundAsk,
  selectRefundsToTry,
  selectUnclaimed,
  takeRefund,
} from './refund-store.ts'
import { lockPaymentById, markSettled, type Refusal, refuseMoney } from './store.ts'

/** So many in one go; the rest waits for the next. */
const MOST_AT_ONCE = 100

/** How refusals end while the money is due. */
export const GOES_BACK = 'Your money goes back to you.'
const IS_GOING_BACK = 'Your money is on its way back to you.'
const WENT_BACK = 'Your money went back to you.'
const NEVER_TAKEN = 'No money was taken from you.'

const ENDINGS: Record<string, string> = {
  refunding: IS_GOING_BACK,
  refunded: WENT_BACK,
  never_came: NEVER_TAKEN,
}

/** What becomes of money that there is nothing to sell for. */
export const BUYS_NOTHING: Refusal = {
  refusal_code: 'payment_failed',
  refusal: `${PAYMENT_FAILED}. ${GOES_BACK}`,
}

/** The refusal of money for a payment that its buyer has cancelled. */
export const IS_OVER: Refusal = {
  refusal_code: 'payment_failed',
  refusal: `This payment was cancelled before it was paid. ${GOES_BACK}`,
}

type Needs = Pick<Desk, 'provider' | 'log' | 'retrySeconds'>

type Told = { state: string; refusal: string | null }

/** What the payer of refused money is told, now and whenever they ask: also how far its way back is. */
export function toldOf({ state, refusal }: Told): string | null {
  return refusal?.replace(GOES_BACK, ENDINGS[state] ?? GOES_BACK) ?? null
}

const FAILED = 'The provider reports that the refund failed.'

type Taken = { id: string } & Pick<Row<'provider_payments'>, 'amount_minor' | 'state'>

/** What is under way is of the provider's own amount: that was noted when it was taken on. */
const goOn = async ({ provider }: Needs, { id, state, amount_minor }: Taken): Promise<Refund> =>
  state === 'refunding'
    ? { ...(await provider.givenBack(id)), amountMinor: amount_minor }
    : provider.refund(id, amount_minor)

/** Writes down how far the provider is with a refund. */
async function noteProgress(
  db: Database,
  { log, retrySeconds }: Needs,
  taken: Taken,
  back: Refund,
) {
  const { id, state } = taken
  const { amountMinor, doneMinor, underWayMinor, refundId, failedId } = back
  if (doneMinor >= amountMinor) await markRefunded(db, id, back)
  else if (doneMinor + underWayMinor < amountMinor) {
    log.error({ providerPaymentId: id, back }, 'a refund failed at the provider and is due again')
    await noteFailedRefund(db, { id, taken: state, failedId, error: FAILED, retrySeconds })
  } else if (state === 'refunding') await noteRefundAsk(db, id, retrySeconds)
  else await markRefunding(db, { id, amountMinor, refundId, retrySeconds })
}

/** The provider would not, or did not answer; what it took on before is under way all the same. */
async function noteNoAnswer(
  db: Database,
  { log, retrySeconds }: Needs,
  taken: Taken,
  error: unknown,
) {
  const { id, state } = taken
  if (state === 'refunding') return noteRefundAsk(db, id, retrySeconds)
  log.error({ err: error, providerPaymentId: id }, 'a refund failed and is still due')
  const why = error instanceof Error ? error.message : String(error)
  return noteFailedRefund(db, { id, taken: state, error: why, retrySeconds })
}

/**
 * Gives money back that is due, or asks whether it is back that the provider has taken on, for one
 * taker at a time. What fails is due and is tried again after a pause. Throws nothing of the
 * provider's.
 */
export async function giveBack(db: Database, desk: Needs, id: string): Promise<void> {
  const due = await takeRefund(db, id)
  if (!due) return
  const taken = { id, ...due }
  const back = await goOn(desk, taken).catch((error) =>
    noteNoAnswer(db, desk, taken, error).then(() => null),
  )
  if (back) await noteProgress(db, desk, taken, back)
}

/** Tries, or asks about, every refund of the desk's provider whose time has come, until told to stop. */
export async function retryRefunds(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  const due = await selectRefundsToTry(db, desk.provider.name, MOST_AT_ONCE)
  for (const { id } of due) {
    if (stop?.aborted) return
    await giveBack(db, desk, id)
  }
}

/** Money of a payment without a cart that nobody claimed in time is to go back. */
export async function refuseUnclaimed(
  db: Database,
  { holdMinutes }: Pick<Desk, 'holdMinutes'>,
  stop?: AbortSignal,
): Promise<void> {
  for (const { id, paymentId } of await selectUnclaimed(db, holdMinutes, MOST_AT_ONCE)) {
    if (stop?.aborted) return
    await inTransaction(db, SHOP, async (tx) => {
      const payment = await lockPaymentById(tx, paymentId)
      const refused = await refuseMoney(tx, id, BUYS_NOTHING)
      if (refused && payment && !payment.settled_at) await markSettled(tx, paymentId)
    })
  }
}
