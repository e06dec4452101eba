import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { pluralize } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'

const CHOICES = {
  send: {
    title: 'Send all parked e-mails?',
    consequence:
      'will be sent. Recipients who got theirs before the backup was restored get it twice.',
    endpoint: emailAdminCalls.sendParked,
    failed: 'The parked e-mails could not be queued.',
  },
  delete: {
    title: 'Delete all parked e-mails?',
    consequence: 'will be deleted without being sent. This cannot be undone.',
    endpoint: emailAdminCalls.dropParked,
    failed: 'The parked e-mails could not be deleted.',
  },
} as const

/** Says that e-mails are parked, and sends or deletes all of them after a confirmation. */
export function ParkedEmails({ count }: { count: number }) {
  const [chosen, setChosen] = useState<keyof typeof CHOICES | null>(null)
  const { revalidate } = useRevalidator()
  const emails = pluralize(count, 'parked e-mail', false)
  const confirm = async (endpoint: (typeof CHOICES)[keyof typeof CHOICES]['endpoint']) => {
    // also after a failure: the list may have changed
    const { message } = await call(endpoint).finally(revalidate)
    toast.success(message)
    setChosen(null)
  }
  const choice = chosen && CHOICES[chosen]
  return (
    <div className="surface space-y-4 border-s-4 border-s-warning p-4">
      <p>
        There {count === 1 ? 'is' : 'are'} {emails}: queued when the restored backup was made, and
        perhaps sent since. Send them one by one or all at once, or delete them.
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="button" onClick={() => setChosen('send')} className="btn btn-sm">
          Send all parked
        </button>
        <button type="button" onClick={() => setChosen('delete')} className="btn btn-sm">
          Delete all parked
        </button>
      </div>
      {choice && (
        <ConfirmDialog
          title={choice.title}
          action={chosen === 'send' ? 'Send all' : 'Delete all'}
          onConfirm={() => confirm(choice.endpoint)}
          failed={choice.failed}
          onClose={() => setChosen(null)}
        >
          {emails} {choice.consequence}
        </ConfirmDialog>
      )}
    </div>
  )
}
