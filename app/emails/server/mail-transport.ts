/** Where e-mails go: to the SMTP server, or to files where the shop has none. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import type { Database } from '#db/schema.ts'
import { LOGO_ID, type RenderedEmail } from './render.ts'
import type { EmailSettings } from './settings.ts'
import { selectExisting } from './store.ts'

export type Message = RenderedEmail & {
  id: string
  recipient: string
  createdAt: Date
  shopName: string
}

/** Where the messages of a run of the job are delivered. */
export type MailTransport = {
  state: 'sent' | 'kept'
  /** The signal aborts it. Throws the error of nodemailer. */
  deliver: (message: Message, signal: AbortSignal) => Promise<unknown>
  close: () => void
}

/** The folder of kept e-mails. */
export const folderOf = ({ DATA_DIR }: Pick<EmailSettings, 'DATA_DIR'>) => join(DATA_DIR, 'emails')

/** The sender, with its name: without one, that of the shop. */
export const senderOf = ({ MAIL_FROM }: EmailSettings, shopName: string) => {
  const [, name = '', address = ''] =
    /^(?:(.*?)\s*<)?([^\s<>]+)>?$/.exec(MAIL_FROM ?? 'shop@localhost') ?? []
  return { name: name.replaceAll('"', '') || shopName, address }
}

/** The logo is a part of the HTML, which no client lists among the attachments. */
const LOGO_PART = {
  filename: 'logo.png',
  contentType: 'image/png',
  contentDisposition: 'inline',
  cid: LOGO_ID,
} as const

/**
 * The message for nodemailer. Addresses are objects, so that no name or address is parsed as a list. Each
 * attempt has the same Message-ID, by which mailboxes recognise a second copy.
 */
function composed(settings: EmailSettings, message: Message): SendMailOptions {
  const from = senderOf(settings, message.shopName)
  const domain = from.address.split('@').at(-1)
  return {
    from,
    to: { name: '', address: message.recipient },
    messageId: `<${message.id}@${domain}>`,
    date: message.createdAt,
    subject: message.subject,
    text: message.text,
    html: message.html,
    attachments: [
      ...(message.logo ? [{ ...LOGO_PART, content: message.logo.bytes }] : []),
      ...message.attachments,
    ],
    // no answers of vacation programs (RFC 3834)
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const SECONDS = 1000
const MINUTES = 60 * SECONDS

/** The connections of a process to the server. */
export const MAX_CONNECTIONS = 4

/** Addresses of this machine. */
const isLocal = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)

/**
 * The options of nodemailer for SMTP_URL. STARTTLS is used wherever the server offers it, and required
 * before a password is sent to another machine. Parameters of the URL, such as
 * `?tls.rejectUnauthorized=false`, are options of nodemailer and replace these.
 */
export function smtpOptions(url: string): SMTPPoolOptions & { url: string; pool: true } {
  const { hostname, username } = new URL(url)
  return {
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // a message whose connection breaks is repeated by the job, which stores it
    maxRequeues: 0,
    requireTLS: username !== '' && !isLocal(hostname),
    connectionTimeout: 30 * SECONDS,
    greetingTimeout: 30 * SECONDS,
    dnsTimeout: 15 * SECONDS,
    // an attempt that ends while a slow server accepts the message sends it twice (RFC 5321, 4.5.3.2.6)
    socketTimeout: 10 * MINUTES,
  }
}

/**
 * Sends by SMTP; messages share connections, a hundred one by default. Without a server, writes each to a file
 * that mail programs open, readable by the owner of the shop only.
 */
export async function openMailTransport(settings: EmailSettings): Promise<MailTransport> {
  const { SMTP_URL: url } = settings
  // loaded with the first e-mail: many processes of a shop never send one
  const { createTransport } = await import('nodemailer')
  if (url) {
    const smtp = createTransport(smtpOptions(url))
    return {
      state: 'sent',
      deliver: (message, signal) => smtp.sendMail({ ...composed(settings, message), signal }),
      close: () => smtp.close(),
    }
  }
  const stream = createTransport({ streamTransport: true, buffer: true })
  const folder = folderOf(settings)
  return {
    state: 'kept',
    async deliver(message) {
      const { message: bytes } = await stream.sendMail(composed(settings, message))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, `${message.id}.eml`), bytes, { mode: 0o600 })
    },
    close() {},
  }
}

const KEPT = /^([\da-f-]{36})\.eml$/

/** Deletes the files whose e-mail is deleted, such as those of a closed account. */
export async function removeStrayFiles(db: Database, folder: string): Promise<void> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const ids = files.flatMap((file) => KEPT.exec(file)?.[1] ?? [])
  if (ids.length === 0) return
  const existing = await selectExisting(db, ids)
  for (const id of ids) if (!existing.has(id)) await rm(join(folder, `${id}.eml`), { force: true })
}
