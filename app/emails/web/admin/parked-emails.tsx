import { useState } from 'react'
import { ChangeDialog } from '#app/back-office/form-dialog.tsx'
import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { pluralize } from '#app/shared/web/texts.ts'

const CHOICES = [
  {
    action: 'Send all',
    title: 'Send all parked e-mails?',
    consequence:
      'will be sent. Recipients who got theirs before the backup was restored get it twice.',
    run: () => call(emailAdminCalls.sendParked),
    failed: 'The parked e-mails could not be queued.',
  },
  {
    action: 'Delete all',
    title: 'Delete all parked e-mails?',
    consequence: 'will be deleted without being sent. This cannot be undone.',
    run: () => call(emailAdminCalls.dropParked),
    failed: 'The parked e-mails could not be deleted.',
  },
]

/** Says that e-mails are parked, and sends or deletes all of them after a confirmation. */
export function ParkedEmails({ count }: { count: number }) {
  const [chosen, setChosen] = useState<(typeof CHOICES)[number] | null>(null)
  const emails = pluralize(count, 'parked e-mail', false)
  return (
    <div className="surface space-y-4 border-s-4 border-s-warning p-4">
      <p>
        There {count === 1 ? 'is' : 'are'} {emails}: queued when the restored backup was made, and
        perhaps sent since. Send them one by one or all at once, or delete them.
      </p>
      <div className="flex flex-wrap gap-3">
        {CHOICES.map((choice) => (
          <button
            key={choice.action}
            type="button"
            onClick={() => setChosen(choice)}
            className="btn btn-sm"
          >
            {choice.action} parked
          </button>
        ))}
      </div>
      {chosen && (
        <ChangeDialog {...chosen} onClose={() => setChosen(null)}>
          {emails} {chosen.consequence}
        </ChangeDialog>
      )}
    </div>
  )
}
