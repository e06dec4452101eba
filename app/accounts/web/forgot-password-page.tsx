import { useNavigate } from 'react-router'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast/toast.ts'
import { accountCalls } from '../contract.ts'
import { AccountCard } from './account-card.tsx'
import { type ReturnState, useReturnPath } from './return-path.ts'

/** Resets the password by the security answer, then navigates to the log-in (spec §2, §4). */
export default function ForgotPasswordPage() {
  const navigate = useNavigate()
  const state: ReturnState = { from: useReturnPath() }
  const { busy, form } = useSubmit(async (field) => {
    const { message } = await call(accountCalls.forgotPassword, {
      body: {
        email: field('email'),
        answer: field('answer'),
        newPassword: field('newPassword'),
      },
    })
    toast.success(message)
    await navigate('/login', { state })
  })
  return (
    <AccountCard page="Reset password" title="RESET PASSWORD">
      <form {...form} className="space-y-4">
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <Field
          label="Answer"
          name="answer"
          autoComplete="off"
          hint="What is your favourite sport?"
          required
        />
        <Field
          label="New Password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint="At least 8 characters."
          required
        />
        <BusyButton type="submit" busy={busy} className="btn-primary btn-block mt-2">
          RESET
        </BusyButton>
      </form>
    </AccountCard>
  )
}
