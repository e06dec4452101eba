import { useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { accountEmailCalls } from '../contract.ts'
import { AccountCard } from './account-card.tsx'
import { AccountField } from './account-field.tsx'
import { INCOMPLETE, useLinkToken } from './link-token.ts'

/** Sets a new password by the link in an e-mail, then navigates to the log-in. */
export default function ResetPasswordPage() {
  const navigate = useNavigate()
  const token = useLinkToken()
  const submit = useSubmit(async (field) => {
    const { message } = await call(accountEmailCalls.resetByLink, {
      body: { token: token ?? '', newPassword: field('newPassword') },
    })
    toast.success(message)
    await navigate(href('/login'))
  })
  return (
    <AccountCard page="Set a new password" title="Set a new password">
      {token === null && <p>{INCOMPLETE}</p>}
      <SubmitForm submit={submit} className="space-y-4">
        <AccountField
          of="newPassword"
          hint="At least 8 characters. You are signed out on every device."
          maxLength={128}
          required
        />
        <BusyButton
          type="submit"
          busy={submit.busy}
          reason={token === null ? INCOMPLETE : null}
          className="btn-primary btn-block mt-2"
        >
          Set password
        </BusyButton>
      </SubmitForm>
      <p className="text-center text-sm">
        The link does not work any more?{' '}
        <a href={href('/forgot-password')} className="link link-primary">
          Ask for a new one
        </a>
      </p>
    </AccountCard>
  )
}
