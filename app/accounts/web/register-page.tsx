import { Link, useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { accountCalls } from '../contract.ts'
import { AccountCard } from './account-card.tsx'
import { AccountField } from './account-field.tsx'
import { type ReturnState, useReturnPath } from './return-path.ts'

/** Creates an account, then navigates to the log-in (spec §2, §4). */
export default function RegisterPage() {
  const navigate = useNavigate()
  const state: ReturnState = { from: useReturnPath() }
  const submit = useSubmit(async (field) => {
    const { message } = await call(accountCalls.register, {
      body: valuesOf(field, 'name', 'email', 'password', 'phone', 'address', 'answer'),
    })
    toast.success(message)
    await navigate(href('/login'), { state: { ...state, email: field('email') } })
  })
  return (
    <AccountCard page="Register" title="REGISTER FORM">
      <SubmitForm submit={submit} className="space-y-4">
        <AccountField of="name" required />
        <AccountField of="email" autoComplete="email" required />
        <AccountField of="newPassword" name="password" label="Password" required />
        <AccountField of="phone" required />
        <AccountField of="address" required />
        <AccountField
          of="answer"
          hint="What is your favourite sport? It lets you reset a forgotten password."
          required
        />
        <BusyButton type="submit" busy={submit.busy} className="btn-primary btn-block mt-2">
          REGISTER
        </BusyButton>
      </SubmitForm>
      <p className="text-center text-sm">
        Already have an account?{' '}
        <Link to={href('/login')} state={state} className="link link-primary">
          Log in
        </Link>
      </p>
    </AccountCard>
  )
}
