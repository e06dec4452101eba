/** The state of an e-mail, for the list and for its page. */
import { useChange } from '#app/back-office/form-dialog.tsx'
import { formatTime, nextAttempt } from '#app/back-office/time.tsx'
import {
  type EmailKind,
  type EmailState,
  emailAdminCalls,
  type ListedEmail,
  RETRYABLE_STATES,
} from '#app/emails/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'

type Shown = { name: string; tone: string; text: (email: ListedEmail) => string }

/** The name of each state, its colour, and a sentence about what happened to the e-mail, or will happen. */
export const STATES: Record<EmailState, Shown> = {
  queued: {
    name: 'Queued',
    tone: 'badge-info',
    text: ({ attempts, nextAt }) =>
      `${attempts === 0 ? 'It is sent' : 'The next attempt is'} ${nextAttempt(nextAt)}.`,
  },
  parked: {
    name: 'Parked',
    tone: 'badge-warning',
    text: () => 'It was queued when the restored backup was made, and may have been sent since.',
  },
  bounced: {
    name: 'Bounced',
    tone: 'badge-error',
    text: () => 'The mail server refused it permanently.',
  },
  failed: {
    name: 'Failed',
    tone: 'badge-error',
    text: () => 'No mail server accepted it in time.',
  },
  kept: {
    name: 'Kept',
    tone: 'badge-neutral',
    text: () => 'Written to a file in the data folder.',
  },
  sent: {
    name: 'Sent',
    tone: 'badge-success',
    text: ({ sentAt, createdAt }) => `Sent at ${formatTime(sentAt ?? createdAt)}.`,
  },
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
  payment_reminder: 'Payment reminder',
  payment_received: 'Payment received',
}

export const StateBadge = ({ state }: { state: EmailState }) => (
  <span className={`badge badge-sm ${STATES[state].tone}`}>{STATES[state].name}</span>
)

type Props = {
  email: ListedEmail
  /** The id of the element that names the e-mail. */
  describedBy: string
}

/** The last error of an e-mail that was not delivered, and a button that sends it again; a kept one once there is an SMTP server. */
export function Undelivered({ email: { _id: id, state, lastError }, describedBy }: Props) {
  const { sendsEmail } = useShop()
  const { change, revalidate } = useChange()
  const { busy, form } = useSubmit(
    () => change(() => call(emailAdminCalls.retryEmail, { params: { id } })),
    { failed: 'The e-mail could not be queued again.', refused: revalidate },
  )
  const isRetryable = RETRYABLE_STATES.includes(state) && (state !== 'kept' || sendsEmail)
  return (
    <>
      {lastError && <p className="text-error text-sm">{lastError}</p>}
      {isRetryable && (
        <form {...form}>
          <BusyButton type="submit" busy={busy} aria-describedby={describedBy} className="btn-sm">
            Send again
          </BusyButton>
        </form>
      )}
    </>
  )
}
