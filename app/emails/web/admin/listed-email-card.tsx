import { useId } from 'react'
import type { ListedEmail } from '#app/emails/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { describeState, formatTime, KIND_NAMES, STATE_NAMES, STATE_TONES } from './labels.ts'
import { RetryButton } from './retry-button.tsx'

/** An e-mail in the list: its subject, its recipient, and what happened to it. */
export function ListedEmailCard({ email }: { email: ListedEmail }) {
  const { _id: id, kind, state, subject, recipient, createdAt, lastError } = email
  const subjectId = useId()
  return (
    <article
      aria-labelledby={subjectId}
      className="wrap-anywhere grid gap-x-6 gap-y-2 p-4 sm:px-6 lg:grid-cols-[minmax(0,1fr)_16rem]"
    >
      <div className="space-y-1">
        <h2 id={subjectId} className="font-semibold">
          <a href={href('/dashboard/admin/email/:id', { id })} className="link link-hover">
            {subject}
          </a>
        </h2>
        <p className="text-base-content/75 text-sm">
          To {recipient} · {KIND_NAMES[kind]} ·{' '}
          <time dateTime={createdAt}>{formatTime(createdAt)}</time>
        </p>
      </div>
      <div className="space-y-2 text-sm">
        <p>
          <span className={`badge badge-sm ${STATE_TONES[state]}`}>{STATE_NAMES[state]}</span>
        </p>
        <p className="text-base-content/75">{describeState(email)}</p>
        {lastError && <p className="text-error">{lastError}</p>}
        <RetryButton email={email} describedBy={subjectId} />
      </div>
    </article>
  )
}
