import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { useDownload } from '#app/shared/web/transfer.ts'
import { accountCalls } from '../contract.ts'
import { isAdmin } from '../session-contract.ts'
import { AccountField } from './account-field.tsx'
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
        {!isAdmin(user) && (
          <button type="button" onClick={() => setClosing(true)} className="btn">
            Close account
          </button>
        )}
      </div>
      {isClosing && <CloseAccountDialog onClose={() => setClosing(false)} />}
    </section>
  )
}

/** Asks for the password and closes the own account. It stays open after a failure. */
function CloseAccountDialog({ onClose }: { onClose: () => void }) {
  const { user } = useStore(sessionAtom)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const close = useSubmit(
    async (field) => {
      const { message } = await call(accountCalls.closeAccount, {
        body: valuesOf(field, 'password'),
      })
      sessionAtom.reset()
      toast.success(message)
      void navigate('/')
    },
    { failed: 'Your account could not be closed.', refused: revalidate },
  )
  return (
    <Dialog title="Close your account?" onClose={onClose}>
      <p>
        This cannot be undone. Your name, e-mail, phone and addresses are deleted, and you are
        signed out everywhere. The shop keeps your orders, without your name. Download your data
        first if you want to keep a list of your orders.
      </p>
      <SubmitForm submit={close} className="mt-6 space-y-6">
        {/* tells password managers whose password it is */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <AccountField of="currentPassword" name="password" required />
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={close.busy} className="btn-error">
            Close account
          </BusyButton>
        </div>
      </SubmitForm>
    </Dialog>
  )
}
