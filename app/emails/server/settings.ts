import { settingsOf } from '#app/settings/server/service.ts'
import type { Database } from '#db/schema.ts'

/** The settings of the environment that e-mails read; `server/config-schema.ts` explains each. */
export type EmailSettings = {
  DATA_DIR: string
  PORT: number
  SHOP_URL?: string
  SMTP_URL?: string
  MAIL_FROM?: string
}

/** Whether e-mails are sent; without an SMTP server they are written to files. */
export const sendsEmail = ({ SMTP_URL }: Pick<EmailSettings, 'SMTP_URL'>): boolean =>
  Boolean(SMTP_URL)

/**
 * The shop of today, as its e-mails show it: the merchant may change its settings at any time. `url` is the
 * beginning of links, without a trailing slash. Never that of a request, which clients can forge.
 */
export const mailingShopOf = async (db: Database, { SHOP_URL, PORT }: EmailSettings) => ({
  ...(await settingsOf(db)),
  url: SHOP_URL ?? `http://127.0.0.1:${PORT}`,
})

export type MailingShop = Pick<
  Awaited<ReturnType<typeof mailingShopOf>>,
  'name' | 'url' | 'locale' | 'timeZone' | 'accent' | 'logo'
>
