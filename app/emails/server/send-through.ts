/** E-mails that leave by a certain SMTP server at once: warnings by a former one, and tests. */
import { type Finding, ok, problem } from '#app/shared/server/doctor/finding.ts'
import type { Log } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import { openMailTransport, senderOf, smtpOptions } from './mail-transport.ts'
import { renderToSend, sourcesOf } from './render.ts'
import { type EmailSettings, mailingShopOf } from './settings.ts'
import { type EmailRow, selectEmailsOf } from './store.ts'

const MAX_WARNING_MS = 10_000

/**
 * Sends the queued e-mails about an event by this SMTP server, too, where there is one: the server that the queue uses may be
 * somebody else's. Their Message-ID is the same, so that a mailbox shows one. A failure is logged.
 */
export async function sendThrough(
  db: Database,
  settings: EmailSettings,
  { eventId, log }: { eventId: string; log: Log },
): Promise<void> {
  if (!settings.SMTP_URL) return
  const transport = await openMailTransport(settings)
  const shop = await mailingShopOf(db, settings)
  const signal = AbortSignal.timeout(MAX_WARNING_MS)
  const send = async (row: EmailRow) => {
    const email = await renderToSend(db, row, await sourcesOf(db, shop, [row]))
    const { id, recipient, created_at: createdAt } = row
    await transport.deliver({ ...email, id, recipient, createdAt, shopName: shop.name }, signal)
  }
  const ended = await Promise.allSettled((await selectEmailsOf(db, eventId)).map(send))
  transport.close()
  const failed = ended.filter(({ status }) => status === 'rejected').length
  if (failed > 0)
    log.warn({ failed }, 'the former SMTP server did not take the warning of its change')
}

const SECONDS = 1000

/** For an admin who waits. */
const IMPATIENT = {
  connectionTimeout: 10 * SECONDS,
  greetingTimeout: 10 * SECONDS,
  socketTimeout: 15 * SECONDS,
  dnsTimeout: 10 * SECONDS,
}

/** The causes of nodemailer's errors, and of the system's. No words of the server: it may be any machine. */
const CAUSES: Record<string, [found: string, advice: string]> = {
  EAUTH: [
    'it refuses the user name or the password',
    'Enter both as your e-mail provider gives them.',
  ],
  EDNS: ['there is no server of this name', 'Check the name for typing errors.'],
  ENOTFOUND: ['there is no server of this name', 'Check the name for typing errors.'],
  ECONNREFUSED: ['nothing answers at this port', 'Check the port: 465 or 587 at most providers.'],
  ETIMEDOUT: [
    'it does not answer in time',
    'Check the port. A firewall may block it: some hosting companies open it on request only.',
  ],
  ETLS: ['the encrypted connection cannot be made', 'Try the other port: 465 or 587.'],
  EPROTOCOL: [
    'what answers is not an SMTP server',
    'Check the port: 465 or 587 at most providers.',
  ],
  EENVELOPE: [
    'it refuses the sender or the recipient',
    'Enter a sender that this account may use, of a domain that is set up there.',
  ],
  EMESSAGE: ['it refuses the message', 'Ask your e-mail provider why.'],
}

const UNKNOWN: [string, string] = [
  'the connection breaks',
  'Check server and port. An encrypted port, such as 465, answers only encrypted connections.',
]

/** What the system's code in a message means. */
const causeIn = (message: string) =>
  CAUSES[/\b(ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EDNS)\b/.exec(message)?.[1] ?? '']

/** What an error of nodemailer means in words, without its advice. */
export const plainReason = (error: unknown): string => causeOf(error)[0]

/** What an error of nodemailer means. The innermost known code says most. */
function causeOf(error: unknown): [found: string, advice: string] {
  const {
    code = '',
    cause,
    message = '',
  }: { code?: string; cause?: unknown; message?: string } = Object(error)
  const inner = cause === undefined ? undefined : CAUSES[String(Object(cause).code)]
  return inner ?? causeIn(message) ?? CAUSES[code] ?? UNKNOWN
}

/**
 * The stored error of an attempt, in plain words where it is one of the connection. The answer of a mail server, which
 * begins with its code or quotes it, stays.
 */
export function describeError(message: string): string {
  const known = causeIn(message)
  if (!known) return message
  const [found, advice] = known
  return `The SMTP server cannot be reached: ${found}. ${advice}`
}

/** Connects, logs in and sends a test e-mail to this address; says in plain words what is wrong. */
export async function examineBySending(
  db: Database,
  settings: EmailSettings,
  recipient: string,
): Promise<Finding> {
  const { SMTP_URL: url } = settings
  if (!url) return problem('E-mail', 'no SMTP server is set', 'Enter that of your e-mail provider.')
  const { name: shopName } = await mailingShopOf(db, settings)
  const { createTransport } = await import('nodemailer')
  const { hostname: host } = new URL(url)
  const transport = createTransport({ ...smtpOptions(url), ...IMPATIENT, maxConnections: 1 })
  try {
    await transport.sendMail({
      from: senderOf(settings, shopName),
      to: { name: '', address: recipient },
      subject: `Test e-mail of ${shopName}`.replace(/\s+/g, ' '),
      text: `The SMTP server of ${shopName} works: this e-mail was sent by it.`,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return ok(
      'E-mail',
      `${host} has accepted a test e-mail to ${recipient}: look into your inbox, and into spam`,
    )
  } catch (error) {
    const [found, advice] = causeOf(error)
    return problem('E-mail', `${host}: ${found}`, advice)
  } finally {
    transport.close()
  }
}
