/** How the job sends queued e-mails, and what their failures mean. */
import type { Log } from '#app/shared/server/domain-module.ts'
import {
  type Attempted,
  type Carrier,
  deliverDue,
  pauseAfter,
} from '#app/shared/server/outbox/deliver-job.ts'
import type { Outcome } from '#app/shared/server/outbox/deliveries-store.ts'
import type { Database } from '#db/schema.ts'
import { MAX_CONNECTIONS, type MailTransport } from './mail-transport.ts'
import { renderToSend, type SharedSources, sourcesOf } from './render.ts'
import type { MailingShop } from './settings.ts'
import type { EmailRow } from './store.ts'

/** An attempt is aborted after this time: the longest silence of a server, and some time to send. */
export const MAX_ATTEMPT_MS = 12 * 60_000

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

/** Delivers e-mails through a transport. */
function carrierOf(
  { db, log, shop }: Mailer,
  transport: MailTransport,
): Carrier<EmailRow, SharedSources> {
  async function attempt(
    row: EmailRow,
    sources: SharedSources,
    signal: AbortSignal,
  ): Promise<Attempted> {
    const { id, attempts, recipient, created_at: createdAt } = row
    try {
      const rendered = await renderToSend(db, row, sources)
      const shopName = sources.shop.name
      await transport.deliver({ ...rendered, id, recipient, createdAt, shopName }, signal)
      return { outcome: { state: transport.state }, isReceiverUp: true }
    } catch (error) {
      const outcome = outcomeOf(error, attempts)
      const facts = { ...loggedError(error), email: id, state: outcome.state }
      log.warn(facts, 'an e-mail was not sent')
      return { outcome, isReceiverUp: !isServerFailure(error) }
    }
  }
  return {
    sourcesOf: async (rows) => sourcesOf(db, await shop(), rows),
    attempt,
    close: () => transport.close(),
  }
}

/** Sends the queued e-mails that are due, each at least once, with the same Message-ID. */
export const sendQueued = (mailer: Mailer, closing: AbortSignal): Promise<void> =>
  deliverDue(
    {
      db: mailer.db,
      log: mailer.log,
      table: 'emails',
      concurrency: MAX_CONNECTIONS,
      maxAttemptMs: MAX_ATTEMPT_MS,
      open: async () => carrierOf(mailer, await mailer.open()),
    },
    closing,
  )
