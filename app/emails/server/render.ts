/** Makes an e-mail of its row: of the stored facts and, of an order, of what it has sold. */
import { type LinkPurpose, linkToken } from '#app/accounts/server/service.ts'
import { invoiceOf } from '#app/orders/server/service.ts'
import type { Database } from '#db/schema.ts'
import { type Logo, logoOf } from './logo.ts'
import type { MailingShop } from './settings.ts'
import type { EmailRow } from './store.ts'
import {
  emailConfirmation,
  newSignIn,
  passwordChanged,
  passwordReset,
  welcome,
} from './templates/account.ts'
import type { Content } from './templates/content.ts'
import { type LogoPicture, renderHtml } from './templates/html.ts'
import { newOrder, orderConfirmation, refund, statusChanged } from './templates/order.ts'
import { subjectOf } from './templates/subject.ts'
import { renderText } from './templates/text.ts'

export type RenderedEmail = {
  subject: string
  text: string
  html: string
  /** The picture that the HTML shows. */
  logo: Logo | null
}

/** The Content-ID of the logo, which is a part of the message: clients load it from nowhere. */
export const LOGO_ID = 'logo@shop'

/** The token of a link for a user. */
type TokenSource = (userId: string, purpose: LinkPurpose) => Promise<string>

/** Stands for the token where an e-mail is shown in the back office. */
const HIDDEN_TOKEN = 'hidden'

const PATHS: Record<LinkPurpose, string> = {
  confirm_email: '/confirm-email',
  reset_password: '/reset-password',
}

/** The purpose of the secret link in an e-mail; null without one. */
export function linkPurposeOf({ kind, facts }: EmailRow): LinkPurpose | null {
  if (kind === 'welcome' || kind === 'email_confirmation') return 'confirm_email'
  return kind === 'password_reset' && !facts.is_admin ? 'reset_password' : null
}

/** The link with its token in the fragment, which browsers send to no server. */
async function linkOf(row: EmailRow, { url }: MailingShop, tokenOf: TokenSource): Promise<string> {
  const purpose = linkPurposeOf(row)
  if (purpose === null) return ''
  return `${url}${PATHS[purpose]}#${await tokenOf(row.user_id, purpose)}`
}

async function contentOf(
  db: Database,
  shop: MailingShop,
  row: EmailRow,
  link: string,
): Promise<Content> {
  switch (row.kind) {
    case 'welcome':
      return welcome(row.facts, shop, link)
    case 'email_confirmation':
      return emailConfirmation(row.facts, link)
    case 'password_changed':
      return passwordChanged(row.facts, shop)
    case 'password_reset':
      return passwordReset(row.facts, link)
    case 'new_sign_in':
      return newSignIn(row.facts, shop)
    case 'new_order':
      return newOrder(row.facts, shop, await invoiceOf(db, { orderId: row.order_id ?? '' }))
    case 'order_confirmation':
      return orderConfirmation(
        row.facts,
        shop,
        await invoiceOf(db, { orderId: row.order_id ?? '' }),
      )
    case 'status_changed':
      return statusChanged(row.facts, shop)
    case 'refund':
      return refund(row.facts, shop)
  }
}

type Sources = { token: TokenSource; logoUrl: (logo: Logo) => string }

async function render(
  db: Database,
  shop: MailingShop,
  row: EmailRow,
  { token, logoUrl }: Sources,
): Promise<RenderedEmail> {
  const subject = subjectOf(row, shop.name)
  const content = await contentOf(db, shop, row, await linkOf(row, shop, token))
  const logo = await logoOf(db, shop)
  const picture: LogoPicture | null = logo && { ...logo, src: logoUrl(logo) }
  return {
    subject,
    text: renderText(content, shop),
    html: renderHtml(content, { ...shop, subject, logo: picture }),
    logo,
  }
}

/** The e-mail to be sent. Each time its link gets a new token, of which only the hash is stored. */
export const renderToSend = (db: Database, shop: MailingShop, row: EmailRow) =>
  render(db, shop, row, {
    token: (userId, purpose) => linkToken(db, userId, purpose),
    logoUrl: () => `cid:${LOGO_ID}`,
  })

/**
 * The e-mail as the back office shows it, without the token of its link: an admin must not be able to
 * use the link of somebody else.
 */
export const renderToShow = (db: Database, shop: MailingShop, row: EmailRow) =>
  render(db, shop, row, {
    token: async () => HIDDEN_TOKEN,
    logoUrl: ({ bytes }) => `data:image/png;base64,${bytes.toString('base64')}`,
  })
