import type { EmailFacts } from '../facts.ts'
import { statusSubject } from './order.ts'
import { oneLine } from './plain.ts'

const LONGEST = 150

function subjectTextOf({ kind, facts }: EmailFacts, shopName: string): string {
  switch (kind) {
    case 'welcome':
      return `Welcome to ${shopName}: please confirm your address`
    case 'email_confirmation':
      return `Confirm your e-mail address for ${shopName}`
    case 'order_confirmation':
      return `Your order ${facts.number} at ${shopName}`
    case 'status_changed':
      return statusSubject(facts)
    case 'refund':
      return facts.number === null
        ? `Your refund from ${shopName}`
        : `Your refund for order ${facts.number}`
    case 'password_changed':
      return `Your password at ${shopName} was changed`
    case 'password_reset':
      return `Reset your password at ${shopName}`
    case 'new_sign_in':
      return `New sign-in to the back office of ${shopName}`
    case 'new_order':
      return `New order ${facts.number} at ${shopName}`
  }
}

/** The subject: one line, whatever the shop's name contains. */
export const subjectOf = (email: EmailFacts, shopName: string): string =>
  oneLine(subjectTextOf(email, shopName), LONGEST)
