/** Subject and content of each kind of e-mail. */

import type { EmailKind } from '#app/emails/admin-contract.ts'
import type { OrderAmounts } from '#app/orders/server/invoice.ts'
import type { EmailFacts, Facts } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { emailConfirmation, newSignIn, passwordChanged, passwordReset, welcome } from './account.ts'
import { newOrder, orderConfirmation, refund, statusChanged, statusSubject } from './order.ts'
import type { Content } from './parts.ts'
import { oneLine } from './plain.ts'

/** The sources of an e-mail beside its facts. */
export type Sources = {
  shop: MailingShop
  /** With its secret; empty for a kind without one. */
  link: string
  /** Throws for an e-mail that is not about an order. */
  order: OrderAmounts
}

type Template<Kind extends EmailKind> = {
  subject: (facts: Facts<Kind>, shopName: string) => string
  content: (facts: Facts<Kind>, sources: Sources) => Content
}

const TEMPLATES: { [Kind in EmailKind]: Template<Kind> } = {
  welcome: {
    subject: (_facts, shop) => `Welcome to ${shop}: please confirm your address`,
    content: welcome,
  },
  email_confirmation: {
    subject: (_facts, shop) => `Confirm your e-mail address for ${shop}`,
    content: emailConfirmation,
  },
  order_confirmation: {
    subject: ({ number }, shop) => `Your order ${number} at ${shop}`,
    content: orderConfirmation,
  },
  status_changed: { subject: statusSubject, content: statusChanged },
  refund: {
    subject: ({ number }, shop) =>
      number === null ? `Your refund from ${shop}` : `Your refund for order ${number}`,
    content: refund,
  },
  password_changed: {
    subject: (_facts, shop) => `Your password at ${shop} was changed`,
    content: passwordChanged,
  },
  password_reset: {
    subject: (_facts, shop) => `Reset your password at ${shop}`,
    content: passwordReset,
  },
  new_sign_in: {
    subject: (_facts, shop) => `New sign-in to the back office of ${shop}`,
    content: newSignIn,
  },
  new_order: {
    subject: ({ number }, shop) => `New order ${number} at ${shop}`,
    content: newOrder,
  },
}

const MAX_SUBJECT = 150

/** The subject: one line, whatever the shop's name contains. */
export const subjectOf = <Kind extends EmailKind>(
  { kind, facts }: EmailFacts<Kind>,
  shopName: string,
): string => oneLine(TEMPLATES[kind].subject(facts, shopName), MAX_SUBJECT)

export const contentOf = <Kind extends EmailKind>(
  { kind, facts }: EmailFacts<Kind>,
  sources: Sources,
): Content => TEMPLATES[kind].content(facts, sources)
