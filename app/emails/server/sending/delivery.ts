/** Where e-mails go: to the SMTP server, or to files where the shop has none. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import { LOGO_ID, type RenderedEmail } from '../render.ts'
import { type EmailSettings, senderOf } from '../settings.ts'
import { smtpOptions } from './smtp-options.ts'

export type Message = RenderedEmail & {
  id: string
  recipient: string
  createdAt: Date
  shopName: string
}

/** Delivers a message; the signal aborts it. Throws the error of nodemailer. */
export type Delivery = {
  state: 'sent' | 'kept'
  deliver: (message: Message, signal: AbortSignal) => Promise<void>
}

/** The folder of kept e-mails. */
export const folderOf = ({ DATA_DIR }: Pick<EmailSettings, 'DATA_DIR'>) => join(DATA_DIR, 'emails')

/** Loaded with the first e-mail: many processes of a shop never send one. */
const load = () => import('nodemailer')

/** The logo as a part of the HTML, which no client lists among the attachments. */
const partOf = (bytes: Buffer) => ({
  filename: 'logo.png',
  content: bytes,
  contentType: 'image/png',
  contentDisposition: 'inline' as const,
  cid: LOGO_ID,
})

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
    attachments: message.logo ? [partOf(message.logo.bytes)] : [],
    // no answers of vacation programs (RFC 3834)
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Sends by SMTP, with one connection for each e-mail. */
function sending(settings: EmailSettings, url: string): Delivery {
  return {
    state: 'sent',
    async deliver(message, signal) {
      const { createTransport } = await load()
      const transport = createTransport(smtpOptions(url))
      try {
        await transport.sendMail({ ...composed(settings, message), signal })
      } finally {
        transport.close()
      }
    },
  }
}

/** Writes each e-mail to a file that mail programs open, readable by the owner of the shop only. */
function keeping(settings: EmailSettings): Delivery {
  const folder = folderOf(settings)
  return {
    state: 'kept',
    async deliver(message) {
      const { createTransport } = await load()
      const transport = createTransport({ streamTransport: true, buffer: true })
      const { message: bytes } = await transport.sendMail(composed(settings, message))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, `${message.id}.eml`), bytes, { mode: 0o600 })
    },
  }
}

export const deliveryOf = (settings: EmailSettings): Delivery =>
  settings.SMTP_URL ? sending(settings, settings.SMTP_URL) : keeping(settings)
