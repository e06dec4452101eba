import { settingsOf } from '#app/settings/server/service.ts'
import type { Picture } from '#app/shared/contract/public-settings.ts'
import type { Database } from '#db/schema.ts'

/** The settings of the environment that e-mails read; `server/config-schema.ts` explains each. */
export type EmailSettings = {
  DATA_DIR: string
  PORT: number
  SHOP_URL?: string
  SMTP_URL?: string
  MAIL_FROM?: string
}

/** The shop as its e-mails show it. */
export type MailingShop = {
  name: string
  /** The beginning of links, without a trailing slash. Never that of a request, which clients can forge. */
  url: string
  /** The format of amounts (BCP 47). */
  locale: string
  /** The colour from which those of the e-mails are derived. */
  accent: string
  logo: Picture | null
}

/** The shop of today: the merchant may change its settings at any time. */
export async function mailingShopOf(
  db: Database,
  { SHOP_URL, PORT }: EmailSettings,
): Promise<MailingShop> {
  const { name, locale, accent, logo } = await settingsOf(db)
  return { name, locale, accent, logo, url: SHOP_URL ?? `http://127.0.0.1:${PORT}` }
}
