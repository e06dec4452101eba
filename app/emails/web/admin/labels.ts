import type { EmailKind, EmailState } from '#app/emails/admin-contract.ts'

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
