import { useState } from 'react'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { accountEmailCalls } from '../contract.ts'
import { AccountField } from './account-field.tsx'

/** Asks for a link that sets a new password. The answer is the same with and without an account. */
export function ResetLinkForm() {
  const [sent, setSent] = useState('')
  const submit = useSubmit(async (field) => {
    setSent('')
    const { message } = await call(accountEmailCalls.requestResetLink, {
      body: valuesOf(field, 'email'),
    })
    setSent(message)
  })
  return (
    <section aria-labelledby="reset-by-link" className="space-y-4">
      <h2 id="reset-by-link" className="text-xl">
        By e-mail
      </h2>
      <SubmitForm submit={submit} className="space-y-4">
        <AccountField of="email" required />
        <BusyButton type="submit" busy={submit.busy} className="btn-primary btn-block">
          Send me a link
        </BusyButton>
      </SubmitForm>
      <p role="status" className="empty:hidden">
        {sent}
      </p>
    </section>
  )
}
