/** Reconciliation promises that money is found at the provider although nobody reported it. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { Desk } from './desk.ts'
import type { ProviderPayment } from './providers/provider.ts'
import {
  beginAsking,
  doubtMoney,
  endLapsed,
  noteAsk,
  selectAmountToCapture,
  type Taken,
  takePaymentToAsk,
} from './reconciliation-store.ts'
import { BUYS_NOTHING } from './refunds.ts'
import { completePayment, isDecided } from './settlement.ts'

/** So many in one go; the rest waits for the next. */
const MOST_AT_ONCE = 300

/** Fewer than the database has connections. */
const SIDE_BY_SIDE = 4

type Told = { taken: Taken; providerOrderId: string; payments: ProviderPayment[] }

/** Decides on money that came in; what cannot be decided on yet is thrown. */
const complete = (
  db: Database,
  desk: Desk,
  providerOrderId: string,
  { id: providerPaymentId, amountMinor, currency }: ProviderPayment,
) =>
  completePayment(db, desk, {
    ...{ providerOrderId, providerPaymentId, reporter: SHOP },
    paid: { amountMinor, currency },
  }).catch((error) => {
    if (!isDecided(error)) throw error
  })

/** Decides on everything that came in, and takes what is promised and wanted. */
async function completeAll(
  db: Database,
  desk: Desk,
  { taken, providerOrderId, payments }: Told,
): Promise<void> {
  for (const payment of payments)
    if (payment.status === 'captured') await complete(db, desk, providerOrderId, payment)
  for (const payment of payments.filter(({ status }) => status === 'authorised')) {
    const which = { paymentId: taken.id, moneyId: payment.id }
    const amount = await selectAmountToCapture(db, which)
    // a second payment of the order, or one of a cancelled order, is left for its bank to let go of
    if (amount && (await desk.provider.capture(payment.id, amount)))
      await complete(db, desk, providerOrderId, payment)
  }
}

/**
 * What will never come in: where it was to go back, nothing is left to do. An order without its
 * money is the merchant's to stop: they are told, once.
 */
async function doubt(db: Database, { log, retrySeconds }: Desk, { taken, payments }: Told) {
  const idsOf = (said: ProviderPayment['status']) =>
    payments.filter(({ status }) => status === said).map(({ id }) => id)
  const [failed, refunded] = [idsOf('failed'), idsOf('refunded')]
  const paymentId = taken.id
  const doubted = await inTransaction(db, SHOP, async (tx) => {
    const ended = await endLapsed(tx, { paymentId, failed, refunded, refusal: BUYS_NOTHING })
    // a bank may change its mind
    if (ended.length > 0) await beginAsking(tx, paymentId, retrySeconds)
    return doubtMoney(tx, paymentId, [...failed, ...refunded])
  })
  for (const { id: providerPaymentId, state, doubt } of doubted) {
    if (state === 'kept' && doubt === 'lapsed')
      log.error({ paymentId, providerPaymentId }, 'the money of an order was never captured')
  }
}

/** What the merchant is told of an order that the provider will not tell of. */
const untold = ({ provider }: Desk, { public_key }: Taken, { message }: Failure) =>
  public_key === null || public_key === provider.publicKey
    ? message
    : `${message} It was started with the key ${public_key}.`

/** False when the provider does not answer now. */
async function ask(db: Database, desk: Desk, taken: Taken, providerOrderId: string) {
  const { retrySeconds } = desk
  try {
    const payments = await desk.provider.paymentsOf(providerOrderId)
    const told = { taken, providerOrderId, payments }
    await completeAll(db, desk, told)
    await doubt(db, desk, told)
    await noteAsk(db, taken, { retrySeconds, error: null })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'unavailable') return false
    await noteAsk(db, taken, { retrySeconds, error: untold(desk, taken, error) })
  }
  return true
}

/** Asks about one payment; false when there is none whose time has come, or no answer. */
async function askNext(db: Database, desk: Desk) {
  const taken = await takePaymentToAsk(db, desk.provider.name)
  return taken?.provider_order_id ? ask(db, desk, taken, taken.provider_order_id) : false
}

/**
 * Asks the provider about payments whose time has come, a few at the same time, and completes what
 * was paid. Of one order it may refuse to tell; stops as soon as it does not answer, and when told to.
 */
export async function reconcile(db: Database, desk: Desk, stop?: AbortSignal): Promise<void> {
  // a provider that does not answer is not asked by several
  let goesOn = await askNext(db, desk)
  let asked = 1
  const askOn = async () => {
    while (goesOn && asked < MOST_AT_ONCE && !stop?.aborted) {
      asked += 1
      goesOn = (await askNext(db, desk)) && goesOn
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, askOn))
}
