import { useEffect, useState } from 'react'
import { RunButton } from '#app/back-office/kit/dialog-button.tsx'
import { Time } from '#app/back-office/kit/time.tsx'
import { emailAdminCalls, type Warning } from '#app/emails/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'

/** Changes of where money or e-mails go, of which no e-mail could tell the admin. */
export function Warnings() {
  const [warnings, setWarnings] = useState<Warning[] | null>([])
  useEffect(() => {
    call(emailAdminCalls.getWarnings).then(setWarnings, () => setWarnings(null))
  }, [])
  if (!warnings) return <p role="alert">Warnings could not be loaded. Please reload the page.</p>
  if (warnings.length === 0) return null
  const read = async () => {
    const ids = warnings.map(({ _id }) => _id)
    const done = await call(emailAdminCalls.readWarnings, { body: { ids } })
    setWarnings([])
    return done
  }
  return (
    <section
      role="alert"
      className="mb-4 space-y-2 rounded-field border border-warning bg-warning/15 p-3"
    >
      <p>
        This decides where money or e-mails go, and no e-mail could tell you. If you do not know of
        a change, somebody else may use an admin account.
      </p>
      <ul className="list-disc pl-5">
        {warnings.map(({ _id, subject, by, at }) => (
          <li key={_id}>
            {subject}, by <bdi>{by}</bdi>, <Time at={at} />
          </li>
        ))}
      </ul>
      <RunButton run={read} failed="It could not be marked as read." className="btn-sm">
        I have read this
      </RunButton>
    </section>
  )
}
