import { useState } from 'react'
import { useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { accountCalls, accountEmailCalls } from '../contract.ts'
import { AccountCard } from './account-card.tsx'
import { AccountField } from './account-field.tsx'
import { type ReturnState, useReturnPath } from './return-path.ts'

/**
 * Resets a forgotten password: by a link in an e-mail, where the shop sends e-mails, or by the security
 * answer (spec §2, §4).
 */
export default function ForgotPasswordPage() {
  const { sendsEmail } = useShop()
  return (
    <AccountCard page="Reset password" title="RESET PASSWORD">
      {sendsEmail ? (
        <>
          <ResetLinkForm />
          <section
            aria-labelledby="reset-by-answer"
            className="space-y-4 border-base-300 border-t pt-6"
          >
            <h2 id="reset-by-answer" className="text-xl">
              By your security answer
            </h2>
            <AnswerForm />
          </section>
        </>
      ) : (
        <AnswerForm />
      )}
    </AccountCard>
  )
}

/** Sets a new password by the security answer, then navigates to the log-in. */
function AnswerForm() {
  const navigate = useNavigate()
  const state: ReturnState = { from: useReturnPath() }
  const submit = useSubmit(async (field) => {
    const { message } = await call(accountCalls.forgotPassword, {
      body: valuesOf(field, 'email', 'answer', 'newPassword'),
    })
    toast.success(message)
    await navigate(href('/login'), { state: { ...state, email: field('email') } })
  })
  return (
    <SubmitForm submit={submit} className="space-y-4">
      <AccountField of="email" required />
      <AccountField of="answer" required />
      <AccountField of="newPassword" required />
      <BusyButton type="submit" busy={submit.busy} className="btn-primary btn-block mt-2">
        RESET
      </BusyButton>
    </SubmitForm>
  )
}

/** Asks for a link that sets a new password. The answer is the same with and without an account. */
function ResetLinkForm() {
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
