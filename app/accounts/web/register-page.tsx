import { Link, useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { accountCalls } from '../contract.ts'
import { AccountCard } from './account-card.tsx'
import { type ReturnState, useReturnPath } from './return-path.ts'

/** Creates an account, then navigates to the log-in (spec §2, §4). */
export default function RegisterPage() {
  const navigate = useNavigate()
  const state: ReturnState = { from: useReturnPath() }
  const submit = useSubmit(async (field) => {
    const { message } = await call(accountCalls.register, {
      body: {
        name: field('name'),
        email: field('email'),
        password: field('password'),
        phone: field('phone'),
        address: field('address'),
        answer: field('answer'),
      },
    })
    toast.success(message)
    await navigate(href('/login'), { state: { ...state, email: field('email') } })
  })
  return (
    <AccountCard page="Register" title="REGISTER FORM">
      <SubmitForm submit={submit} className="space-y-4">
        <Field label="Name" name="name" autoComplete="name" required />
        <Field label="Email" name="email" type="email" autoComplete="email" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          hint="At least 8 characters."
          required
        />
        <Field label="Phone" name="phone" type="tel" autoComplete="tel" required />
        <Field label="Address" name="address" autoComplete="street-address" required />
        <Field
          label="Answer"
          name="answer"
          autoComplete="off"
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
