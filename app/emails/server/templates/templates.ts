/** Subject and content of each kind of e-mail. */
import type { EmailKind } from '#app/emails/admin-contract.ts'
import type { OrderAmounts } from '#app/orders/server/invoice.ts'
import type { EmailFacts, Facts } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { accountTemplates } from './account.ts'
import { type Content, htmlOf, type LogoPicture, textOf } from './frame.ts'
import { oneLine } from './html.ts'
import { orderTemplates } from './order.ts'
import type { Part } from './parts.ts'

/** The sources of the body beside its facts. */
type BodySources = {
  /** With its secret; empty for a kind without one. */
  link: string
  /** Throws for an e-mail that is not about an order. */
  order: OrderAmounts
}

/** The templates of all kinds; the shop is that of today. */
export type Templates = {
  [Kind in EmailKind]: (
    facts: Facts[Kind],
    shop: MailingShop,
  ) => Content & { body: (sources: BodySources) => Part[] }
}

const TEMPLATES: Templates = { ...accountTemplates, ...orderTemplates }

const contentOf = <Kind extends EmailKind>({ kind, facts }: EmailFacts<Kind>, shop: MailingShop) =>
  TEMPLATES[kind](facts, shop)

const MAX_SUBJECT = 150

/** The subject: one line, whatever the shop's name contains. */
export const subjectOf = (email: EmailFacts, shop: MailingShop): string =>
  oneLine(contentOf(email, shop).subject, MAX_SUBJECT)

export type Sources = BodySources & { shop: MailingShop; logo: LogoPicture | null }

export function renderEmail(email: EmailFacts, sources: Sources) {
  const { shop, logo } = sources
  const content = contentOf(email, shop)
  const subject = subjectOf(email, shop)
  const { name } = email.facts
  const shown = { ...content, subject, name, shop, logo, parts: content.body(sources) }
  return { subject, html: htmlOf(shown), text: textOf(shown) }
}
