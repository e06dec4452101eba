/** The state of e-mails, and what can be done with them. */
import { ConfirmButton, RunButton } from '#app/back-office/kit/dialog-button.tsx'
import { asLabel } from '#app/back-office/kit/list-query.ts'
import { formatTime, nextAttempt } from '#app/back-office/kit/time.tsx'
import {
  type EmailKind,
  type EmailState,
  emailAdminCalls,
  type ListedEmail,
  RETRYABLE_STATES,
} from '#app/emails/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { pluralize } from '#app/shared/web/texts.ts'

const TONES: Record<EmailState, string> = {
  queued: 'badge-info',
  parked: 'badge-warning',
  bounced: 'badge-error',
  failed: 'badge-error',
  kept: 'badge-neutral',
  sent: 'badge-success',
}

/** What happened to an e-mail, or will happen. */
export const describeState = ({ state, attempts, nextAt, sentAt, createdAt }: ListedEmail) =>
  ({
    queued: `${attempts === 0 ? 'It is sent' : 'The next attempt is'} ${nextAttempt(nextAt)}.`,
    parked: 'It was queued when the restored backup was made, and may have been sent since.',
    bounced: 'The mail server refused it permanently.',
    failed: 'No mail server accepted it in time.',
    kept: 'E-mail was not set up, so it was not sent.',
    sent: `Sent at ${formatTime(sentAt ?? createdAt)}.`,
  })[state]

const KIND_NAMES: Partial<Record<EmailKind, string>> = {
  email_confirmation: 'Address confirmation',
  status_changed: 'Order status',
  new_sign_in: 'New sign-in',
}

export const kindName = (kind: EmailKind) => KIND_NAMES[kind] ?? asLabel(kind)

const STATE_NAMES: Partial<Record<EmailState, string>> = { kept: 'Not sent' }

export const stateName = (state: EmailState) => STATE_NAMES[state] ?? asLabel(state)

export const StateBadge = ({ state }: { state: EmailState }) => (
  <span className={`badge badge-sm ${TONES[state]}`}>{stateName(state)}</span>
)

/** A button that sends an e-mail again that was not delivered; a kept one once there is an SMTP server. */
export function SendAgain({ email }: { email: ListedEmail }) {
  const { _id: id, state, subject } = email
  const { sendsEmail } = useShop()
  if (!RETRYABLE_STATES.includes(state) || (state === 'kept' && !sendsEmail)) return null
  return (
    <RunButton
      run={() => call(emailAdminCalls.retryEmail, { params: { id } })}
      failed="The e-mail could not be queued again."
      aria-description={subject}
      className="btn-sm"
    >
      Send again
    </RunButton>
  )
}

/** Says that e-mails are parked, and sends or deletes all of them after a confirmation. */
export function ParkedEmails({ count }: { count: number }) {
  const emails = pluralize(count, 'parked e-mail', false)
  return (
    <div className="surface flex flex-wrap items-center justify-between gap-3 border-warning p-3">
      <p>
        There {count === 1 ? 'is' : 'are'} {emails}: queued when the restored backup was made, and
        perhaps sent since. Send them one by one or all at once, or delete them.
      </p>
      <ConfirmButton
        label="Send all parked"
        title="Send all parked e-mails?"
        action="Send all"
        run={() => call(emailAdminCalls.sendParked)}
        failed="The parked e-mails could not be queued."
      >
        {emails} will be sent. Recipients who got theirs before the backup was restored get it
        twice.
      </ConfirmButton>
      <ConfirmButton
        label="Delete all parked"
        title="Delete all parked e-mails?"
        action="Delete all"
        deletes
        run={() => call(emailAdminCalls.dropParked)}
        failed="The parked e-mails could not be deleted."
      >
        {emails} will be deleted without being sent. This cannot be undone.
      </ConfirmButton>
    </div>
  )
}
