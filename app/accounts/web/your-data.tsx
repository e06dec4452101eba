import { useState } from 'react'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { useDownload } from '#app/shared/web/transfer.ts'
import { accountCalls } from '../contract.ts'
import { ADMIN_ROLE } from '../session-contract.ts'
import { CloseAccountDialog } from './close-account-dialog.tsx'
import { sessionAtom } from './session.ts'

/** Downloads the customer's personal data, or deletes it with the account. */
export function YourData() {
  const { user } = useStore(sessionAtom)
  const { busy, download } = useDownload(accountCalls.getMyData)
  const [isClosing, setClosing] = useState(false)
  return (
    <section className="mt-10 border-base-300 border-t pt-6">
      <h2 className="text-xl">Your data</h2>
      <p className="mt-2 mb-4 text-base-content/75">
        Download all data that this shop stores about you, or close your account permanently.
      </p>
      <div className="flex flex-wrap gap-3">
        <BusyButton type="button" busy={busy} onClick={download}>
          Download my data
        </BusyButton>
        {user?.role !== ADMIN_ROLE && (
          <button type="button" onClick={() => setClosing(true)} className="btn">
            Close account
          </button>
        )}
      </div>
      {isClosing && <CloseAccountDialog onClose={() => setClosing(false)} />}
    </section>
  )
}
