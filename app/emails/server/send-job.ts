/** The job that sends queued e-mails, each by one process at a time. */
import { addAbortListener } from 'node:events'
import type { Log } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import { MAX_CONNECTIONS, type MailTransport } from './mail-transport.ts'
import { renderToSend, type SharedSources, sourcesOf } from './render.ts'
import type { MailingShop } from './settings.ts'
import {
  type Attempt,
  type EmailRow,
  extendLeases,
  failExpired,
  type Outcome,
  returnEmails,
  takeEmails,
  updateOutcomes,
} from './store.ts'

/** An attempt is aborted after this time: the longest silence of a server, and some time to send. */
export const MAX_ATTEMPT_MS = 12 * 60_000
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
  open: () => Promise<MailTransport>
}

/** The fields of nodemailer's errors. */
type SmtpError = { code?: string; command?: string; responseCode?: number; message?: string }

/** The commands whose refusal concerns one recipient or one message. */
const ABOUT_MESSAGE = ['RCPT TO', 'DATA']

const FIRST_PAUSE_SECONDS = 60
const MAX_PAUSE_SECONDS = 6 * 60 * 60

/** Seconds until the next attempt after so many: a minute, doubled with each, at most six hours. */
const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), MAX_PAUSE_SECONDS)

/**
 * Whether this e-mail is refused permanently: its recipient or its message, by the server (5xx) or
 * because no SMTP command can name the recipient. Refused credentials and senders are mistakes in the
 * settings, which concern every e-mail: they are tried again.
 */
function isBounce({ code, command = '', responseCode = 0 }: SmtpError): boolean {
  if (code === 'EENVELOPE' && command === 'API') return true
  return responseCode >= 500 && ABOUT_MESSAGE.includes(command)
}

const CLOSING = 421

/** Whether the server did not answer, or refuses everything now: further e-mails would fail, too. */
function isServerFailure(error: unknown): boolean {
  const { command = '', responseCode = CLOSING }: SmtpError = Object(error)
  if (command === 'API') return false
  return responseCode === CLOSING || !ABOUT_MESSAGE.includes(command)
}

const MAX_ERROR = 500

/** The outcome of a failed attempt. */
function outcomeOf(error: unknown, attempts: number): Outcome {
  const failure: SmtpError = Object(error)
  const text = (failure.message ?? String(error)).slice(0, MAX_ERROR)
  if (isBounce(failure)) return { state: 'bounced', error: text }
  return { state: 'queued', error: text, pauseSeconds: pauseAfter(attempts) }
}

/** The facts of an error for the log; replies of the server may contain the recipient's address. */
function loggedError(error: unknown) {
  const { code, command, responseCode } = Object(error)
  return code === undefined ? { err: error } : { code, command, responseCode }
}

/** A run of the job. */
type Run = Mailer & {
  transport: MailTransport
  /** Takes no more e-mails. */
  closing: AbortSignal
  /** Aborts those in progress. */
  late: AbortSignal
  /** The e-mails that are taken and not sent yet. */
  taken: Map<string, Attempt>
  store: (outcome: Attempt & Outcome) => Promise<void>
}

/**
 * Extends the leases of the taken e-mails until the returned function is called. An e-mail that is deleted
 * meanwhile, or that another job has taken, is not taken any more.
 */
function keepLeases({ db, log, taken }: Run): () => void {
  async function extend() {
    const attempts = [...taken.values()]
    const kept = await extendLeases(db, attempts, LEASE_SECONDS)
    for (const { id } of attempts) if (!kept.has(id)) taken.delete(id)
  }
  const timer = setInterval(
    () =>
      extend().catch((err) =>
        log.warn({ err, emails: taken.size }, 'the leases of e-mails could not be extended'),
      ),
    EXTENSION_MS,
  )
  return () => clearInterval(timer)
}

/**
 * Stores outcomes, each time all that have come meanwhile. Those that could not be stored, as during an
 * outage of the database, are stored with the next ones: an e-mail that is sent must not stay queued.
 */
function storing(db: Database): Run['store'] {
  const waiting: (Attempt & Outcome)[] = []
  async function storeWaiting() {
    const outcomes = [...waiting]
    if (outcomes.length === 0) return
    await updateOutcomes(db, outcomes)
    waiting.splice(0, outcomes.length)
  }
  let last = Promise.resolve()
  return (outcome) => {
    waiting.push(outcome)
    // a failure rejects the call whose turn it was
    last = last.then(storeWaiting, storeWaiting)
    return last
  }
}

type Due = { row: EmailRow; sources: SharedSources }

/** The e-mails that are due, each once, with what they say. Those that are not tried are returned. */
async function* dueEmails(run: Run, first: EmailRow[]): AsyncGenerator<Due> {
  const { db, taken, closing } = run
  let rows = first
  while (rows.length > 0) {
    for (const { id, attempts } of rows) taken.set(id, { id, attempts })
    const untried = new Set(rows)
    try {
      const sources = await sourcesOf(db, await run.shop(), rows)
      for (const row of rows) {
        if (closing.aborted) return
        untried.delete(row)
        if (taken.has(row.id)) yield { row, sources }
      }
    } finally {
      const attempts = [...untried].map(({ id, attempts }) => ({ id, attempts }))
      for (const { id } of attempts) taken.delete(id)
      if (attempts.length > 0) await returnEmails(db, attempts)
    }
    if (closing.aborted) return
    rows = await takeEmails(db, LEASE_SECONDS)
  }
}

/** Tries to deliver an e-mail; resolves with whether the server is up for others. */
async function attempt(run: Run, { row, sources }: Due): Promise<boolean> {
  const { db, log, transport, late } = run
  const { id, attempts, recipient, created_at: createdAt } = row
  let outcome: Outcome = { state: transport.state }
  let isServerUp = true
  try {
    const rendered = await renderToSend(db, row, sources)
    const signal = AbortSignal.any([late, AbortSignal.timeout(MAX_ATTEMPT_MS)])
    const shopName = sources.shop.name
    await transport.deliver({ ...rendered, id, recipient, createdAt, shopName }, signal)
  } catch (error) {
    outcome = outcomeOf(error, attempts)
    isServerUp = !isServerFailure(error)
    const facts = { ...loggedError(error), email: id, state: outcome.state }
    log.warn(facts, 'an e-mail was not sent')
  }
  await run.store({ id, attempts, ...outcome })
  run.taken.delete(id)
  return isServerUp
}

/** Sends one e-mail after the other, until none is due, the server fails, or the shop closes. */
async function sendDue(run: Run, due: AsyncGenerator<Due>): Promise<void> {
  for await (const email of due) if (!(await attempt(run, email))) return
}

/**
 * Sends the queued e-mails that are due. An e-mail is sent at least once: when the process dies after the
 * server has accepted it and before that is stored, it is sent again with the same Message-ID once the
 * lease ends.
 */
export async function sendQueued(mailer: Mailer, closing: AbortSignal): Promise<void> {
  await failExpired(mailer.db, EXPIRED)
  const first = await takeEmails(mailer.db, LEASE_SECONDS)
  if (first.length === 0) return
  const transport = await mailer.open()
  const late = new AbortController()
  const grace = addAbortListener(closing, () => setTimeout(() => late.abort(), GRACE_MS).unref())
  const run: Run = {
    ...mailer,
    transport,
    closing,
    late: late.signal,
    taken: new Map(),
    store: storing(mailer.db),
  }
  const endLeases = keepLeases(run)
  const due = dueEmails(run, first)
  const ended = await Promise.allSettled(
    Array.from({ length: MAX_CONNECTIONS }, () => sendDue(run, due)),
  )
  grace[Symbol.dispose]()
  endLeases()
  transport.close()
  const failed = ended.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
