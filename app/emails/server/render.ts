/** Makes an e-mail of its row: of the stored facts and, of an order, of what it has sold. */

import { type LinkPurpose, linkToken } from '#app/accounts/server/service.ts'
import type { PaymentMethod } from '#app/orders/contract.ts'
import { amountsOfOrders, type OrderAmounts } from '#app/orders/server/invoice.ts'
import { legalTitleOf } from '#app/settings/legal-model.ts'
import { type LegalText, selectTextsOfOrders } from '#app/settings/server/legal-texts.sql.ts'
import { pictureBytes, settingOf } from '#app/settings/server/service.ts'
import { href } from '#app/shared/model/href.ts'
import { loadSharp } from '#app/shared/server/pictures/load-sharp.ts'
import type { Database } from '#db/schema.ts'
import type { EmailKind } from '../admin-contract.ts'
import type { MailingShop } from './settings.ts'
import type { EmailRow } from './store.ts'
import { renderEmail } from './templates/templates.ts'
import { linesOf } from './templates/text-nodes.ts'

type Logo = {
  /** PNG, which all clients display, unlike WebP and AVIF. */
  bytes: Buffer
  width: number
  height: number
}

/** The largest size of the logo, as in the header of the pages. */
const MAX_LOGO = { width: 160, height: 40 }
/** Physical pixels of a pixel on most phones. */
const DENSITY = 2

/** The logo, so large that it is sharp on phones; null when the shop has none. */
async function logoOf(db: Database, { logo }: MailingShop): Promise<Logo | null> {
  const original = logo && (await pictureBytes(db, logo.id))
  if (!original) return null
  const sharp = await loadSharp()
  const { data, info } = await sharp(original)
    .resize({ width: MAX_LOGO.width * DENSITY, height: MAX_LOGO.height * DENSITY, fit: 'inside' })
    .png({ palette: true })
    .toBuffer({ resolveWithObject: true })
  return {
    bytes: data,
    width: Math.round(info.width / DENSITY),
    height: Math.round(info.height / DENSITY),
  }
}

/** The sources of some e-mails beside their facts. */
export type SharedSources = {
  shop: MailingShop
  logo: Logo | null
  orders: Map<string, OrderAmounts>
  /** How to pay without a provider, as lines of text. */
  instructions: Record<PaymentMethod, string[]>
  /** The legal texts of orders whose confirmations are among them, as they were then. */
  texts: Map<string, LegalText[]>
}

const WITH_AMOUNTS: EmailKind[] = [
  'order_confirmation',
  'new_order',
  'payment_reminder',
  'payment_received',
]

const NO_INSTRUCTIONS: SharedSources['instructions'] = { pay_on_delivery: [], bank_transfer: [] }

async function instructionsOf(db: Database): Promise<SharedSources['instructions']> {
  const { pay_on_delivery, bank_transfer } = await settingOf(db, 'paymentMethods')
  const { renderText } = await import('#app/settings/server/text.ts')
  return {
    pay_on_delivery: linesOf(renderText(pay_on_delivery.instructions)),
    bank_transfer: linesOf(renderText(bank_transfer.instructions)),
  }
}

/** Reads the sources of some e-mails, at once. */
export async function sourcesOf(db: Database, shop: MailingShop, rows: EmailRow[]) {
  const ids = rows.flatMap(
    ({ kind, subject_id }) => (WITH_AMOUNTS.includes(kind) && subject_id) || [],
  )
  const orders: SharedSources['orders'] =
    ids.length > 0 ? await amountsOfOrders(db, ids) : new Map()
  const isOwed = [...orders.values()].some(({ unpaid }) => unpaid)
  const instructions = isOwed ? await instructionsOf(db) : NO_INSTRUCTIONS
  const confirmed = rows.flatMap(
    ({ kind, subject_id }) => (kind === 'order_confirmation' && subject_id) || [],
  )
  const texts = confirmed.length > 0 ? await selectTextsOfOrders(db, confirmed) : new Map()
  return { shop, orders, instructions, texts, logo: await logoOf(db, shop) }
}

/** With the picture that the HTML shows. */
export type RenderedEmail = ReturnType<typeof renderEmail> & {
  logo: Logo | null
  attachments: { filename: string; content: string }[]
}

/**
 * The legal texts as files of plain text, which every device opens: the law asks for them on a durable medium,
 * which a link is not.
 */
async function attachmentsOf(texts: LegalText[]): Promise<RenderedEmail['attachments']> {
  if (texts.length === 0) return []
  const { renderText } = await import('#app/settings/server/text.ts')
  return texts.map(({ page, text }) => ({
    filename: `${legalTitleOf(page)}.txt`,
    content: linesOf(renderText(text)).join('\n\n'),
  }))
}

/** The Content-ID of the logo, which is a part of the message: clients load it from nowhere. */
export const LOGO_ID = 'logo@shop'

/** Stands for the token where an e-mail is shown in the back office. */
const HIDDEN_TOKEN = 'hidden'

const PATHS: Record<LinkPurpose, string> = {
  confirm_email: href('/confirm-email'),
  reset_password: href('/reset-password'),
}

/** The purpose of the secret link in an e-mail; null without one. */
export function linkPurposeOf({ kind, facts }: EmailRow): LinkPurpose | null {
  if (kind === 'welcome' || kind === 'email_confirmation') return 'confirm_email'
  return kind === 'password_reset' && !facts.is_admin ? 'reset_password' : null
}

type Secrets = {
  /** The token of a link for a user. */
  token: (userId: string, purpose: LinkPurpose) => Promise<string>
  logoUrl: (logo: Logo) => string
}

async function render(
  row: EmailRow,
  { shop, logo, orders, instructions, texts }: SharedSources,
  { token, logoUrl }: Secrets,
): Promise<RenderedEmail> {
  const purpose = linkPurposeOf(row)
  const method = orders.get(row.subject_id ?? '')?.paymentMethod?.method
  const own = row.kind === 'order_confirmation' ? (texts.get(row.subject_id ?? '') ?? []) : []
  const email = renderEmail(row, {
    shop,
    logo: logo && { ...logo, src: logoUrl(logo) },
    // in the fragment, which browsers send to no server
    link: purpose ? `${shop.url}${PATHS[purpose]}#${await token(row.user_id, purpose)}` : '',
    get order() {
      const order = orders.get(row.subject_id ?? '')
      if (!order) throw new Error('The order of the e-mail cannot be read.')
      return order
    },
    instructions: method ? instructions[method] : [],
    attached: own.map(({ page }) => legalTitleOf(page)),
  })
  return { ...email, logo, attachments: await attachmentsOf(own) }
}

/** The e-mail to be sent. Each time its link gets a new token, of which only the hash is stored. */
export const renderToSend = (db: Database, row: EmailRow, sources: SharedSources) =>
  render(row, sources, {
    token: (userId, purpose) => linkToken(db, userId, purpose),
    logoUrl: () => `cid:${LOGO_ID}`,
  })

/**
 * The e-mail as the back office shows it, without the token of its link: an admin must not be able to
 * use the link of somebody else.
 */
export const renderToShow = async (db: Database, shop: MailingShop, row: EmailRow) =>
  render(row, await sourcesOf(db, shop, [row]), {
    token: async () => HIDDEN_TOKEN,
    logoUrl: ({ bytes }) => `data:image/png;base64,${bytes.toString('base64')}`,
  })
