/** The job that sends queued e-mails, each by one process at a time. */
import type { Log } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import { renderToSend } from '../render.ts'
import type { MailingShop } from '../settings.ts'
import {
  type EmailRow,
  extendLease,
  failExpired,
  type Outcome,
  takeEmail,
  updateOutcome,
} from '../store.ts'
import type { Delivery } from './delivery.ts'
import { isOfServer, outcomeOf } from './failure.ts'

const CONCURRENCY = 4
/** An attempt is aborted after this time: the longest silence of a server, and some time to send. */
export const LONGEST_ATTEMPT_MS = 12 * 60_000
/**
 * Another job takes an e-mail after this time, unless its lease is extended: when a process has died,
 * or the end of an attempt could not be stored during an outage of the database.
 */
const LEASE_SECONDS = 90
const EXTENSION_MS = 30_000
/** When the shop closes, an attempt has this long to end. */
const GRACE_MS = 3000

const EXPIRED = 'It could not be sent in time.'

export type Mailer = {
  db: Database
  log: Log
  shop: () => Promise<MailingShop>
  delivery: Delivery
}

/** A signal that aborts a while after `closing`, and the removal of its listener. */
function graceAfter(closing: AbortSignal) {
  const late = new AbortController()
  const start = () => setTimeout(() => late.abort(), GRACE_MS).unref()
  if (closing.aborted) start()
  closing.addEventListener('abort', start, { once: true })
  return { late: late.signal, end: () => closing.removeEventListener('abort', start) }
}

/** The signals of a run: `closing` takes no more e-mails, `late` aborts those in progress. */
type Run = { closing: AbortSignal; late: AbortSignal }

/** The facts of an error for the log; replies of the server may contain the recipient's address. */
function loggedError(error: unknown) {
  const { code, command, responseCode } = Object(error)
  return code === undefined ? { err: error } : { code, command, responseCode }
}

/** Extends the lease until the returned function is called. */
function keepLease({ db, log }: Mailer, row: EmailRow): () => void {
  const extend = () =>
    extendLease(db, row, LEASE_SECONDS).catch((err) =>
      log.warn({ err, email: row.id }, 'the lease of an e-mail could not be extended'),
    )
  const timer = setInterval(extend, EXTENSION_MS)
  return () => clearInterval(timer)
}

/** Tries to deliver a taken e-mail; answers whether the server is fit for others. */
async function attempt(mailer: Mailer, row: EmailRow, { late }: Run): Promise<boolean> {
  const { db, log, delivery } = mailer
  let outcome: Outcome = { state: delivery.state }
  let isFit = true
  const endLease = keepLease(mailer, row)
  try {
    const { id, recipient, created_at: createdAt } = row
    const shop = await mailer.shop()
    const rendered = await renderToSend(db, shop, row)
    const signal = AbortSignal.any([late, AbortSignal.timeout(LONGEST_ATTEMPT_MS)])
    await delivery.deliver({ ...rendered, id, recipient, createdAt, shopName: shop.name }, signal)
  } catch (error) {
    outcome = outcomeOf(error, row.attempts)
    isFit = !isOfServer(error)
    const facts = { ...loggedError(error), email: row.id, state: outcome.state }
    log.warn(facts, 'an e-mail was not sent')
  } finally {
    endLease()
  }
  await updateOutcome(db, row, outcome)
  return isFit
}

const take = ({ db }: Mailer) => takeEmail(db, LEASE_SECONDS)

/** Sends one e-mail after the other, until none is due, the server fails, or the shop closes. */
async function sendDue(mailer: Mailer, run: Run, first?: EmailRow): Promise<void> {
  let row = first ?? (await take(mailer))
  while (row) {
    if (!(await attempt(mailer, row, run)) || run.closing.aborted) return
    row = await take(mailer)
  }
}

/**
 * Sends the queued e-mails that are due. An e-mail is sent at least once: when the process dies after the
 * server has accepted it and before that is stored, it is sent again with the same Message-ID once the
 * lease ends.
 */
export async function sendQueued(mailer: Mailer, closing: AbortSignal): Promise<void> {
  await failExpired(mailer.db, EXPIRED)
  const first = await take(mailer)
  if (!first) return
  const { late, end } = graceAfter(closing)
  const run = { closing, late }
  const others = Array.from({ length: CONCURRENCY - 1 }, () => sendDue(mailer, run))
  await Promise.all([sendDue(mailer, run, first), ...others]).finally(end)
}
