import type { EmailKind, EmailState, ListedEmail } from '#app/emails/admin-contract.ts'

export const STATE_NAMES: Record<EmailState, string> = {
  queued: 'Queued',
  parked: 'Parked',
  bounced: 'Bounced',
  failed: 'Failed',
  kept: 'Kept',
  sent: 'Sent',
}

export const STATE_TONES: Record<EmailState, string> = {
  queued: 'badge-info',
  parked: 'badge-warning',
  bounced: 'badge-error',
  failed: 'badge-error',
  kept: 'badge-neutral',
  sent: 'badge-success',
}

export const KIND_NAMES: Record<EmailKind, string> = {
  welcome: 'Welcome',
  email_confirmation: 'Address confirmation',
  order_confirmation: 'Order confirmation',
  status_changed: 'Order status',
  refund: 'Refund',
  password_changed: 'Password changed',
  password_reset: 'Password reset',
  new_sign_in: 'New sign-in',
  new_order: 'New order',
}

const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
export const formatTime = (at: string) => dateTime.format(new Date(at))

function describeQueued({ attempts, nextAt }: ListedEmail): string {
  const isDue = nextAt === null || Date.parse(nextAt) <= Date.now()
  const next = isDue ? 'now' : `at ${formatTime(nextAt)}`
  return attempts === 0 ? `It is sent ${next}.` : `The next attempt is ${next}.`
}

/** A sentence about what happened to an e-mail, or will happen. */
export function describeState(email: ListedEmail): string {
  switch (email.state) {
    case 'queued':
      return describeQueued(email)
    case 'parked':
      return 'It was queued when the restored backup was made, and may have been sent since.'
    case 'sent':
      return `Sent at ${formatTime(email.sentAt ?? email.createdAt)}.`
    case 'kept':
      return 'Written to a file in the data folder.'
    case 'bounced':
      return 'The mail server refused it permanently.'
    case 'failed':
      return 'No mail server accepted it in time.'
  }
}
