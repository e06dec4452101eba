/** The outcome of a failed attempt to send an e-mail. */
import type { Outcome } from './store.ts'

/** The fields of nodemailer's errors. */
type SmtpError = { code?: string; command?: string; responseCode?: number; message?: string }

/** The commands whose refusal concerns one recipient or one message. */
const ABOUT_MESSAGE = ['RCPT TO', 'DATA']

const FIRST_PAUSE_SECONDS = 60
const MAX_PAUSE_SECONDS = 6 * 60 * 60

/** Seconds until the next attempt after so many: a minute, doubled with each, at most six hours. */
export const pauseAfter = (attempts: number): number =>
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
export function isServerFailure(error: unknown): boolean {
  const { command = '', responseCode = CLOSING }: SmtpError = Object(error)
  if (command === 'API') return false
  return responseCode === CLOSING || !ABOUT_MESSAGE.includes(command)
}

const MAX_ERROR = 500

/** The outcome of a failed attempt. */
export function outcomeOf(error: unknown, attempts: number): Outcome {
  const failure: SmtpError = Object(error)
  const text = (failure.message ?? String(error)).slice(0, MAX_ERROR)
  if (isBounce(failure)) return { state: 'bounced', error: text }
  return { state: 'queued', error: text, pauseSeconds: pauseAfter(attempts) }
}
