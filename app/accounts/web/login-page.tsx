import { Link, useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { noticeAtom, toast } from '#app/shared/web/toast.tsx'
import { accountCalls } from '../contract.ts'
import { AccountCard } from './account-card.tsx'
import { AccountField } from './account-field.tsx'
import { AdminLine } from './admin-line.tsx'
import { type ReturnState, useEnteredEmail, useReturnPath } from './return-path.ts'
import { sessionAtom } from './session.ts'

/** Logs in and navigates to the remembered page (spec §2, §4). */
export default function LoginPage() {
  const { name } = useShop()
  const navigate = useNavigate()
  const from = useReturnPath()
  const email = useEnteredEmail()
  const state: ReturnState = { from }
  const submit = useSubmit(async (field) => {
    const { message, user, token } = await call(accountCalls.login, {
      body: valuesOf(field, 'email', 'password'),
    })
    sessionAtom.set({ user, token })
    noticeAtom.set(<AdminLine />)
    toast.success(message)
    await navigate(from, { replace: true })
  })
  return (
    <AccountCard page="Login" title={`Welcome to ${name}`}>
      <DemoHint />
      <SubmitForm submit={submit} className="space-y-4">
        <AccountField of="email" defaultValue={email} required />
        <AccountField of="password" required />
        <p className="text-end text-sm">
          <Link to={href('/forgot-password')} state={state} className="link link-hover">
            Forgot Password?
          </Link>
        </p>
        <div className="grid gap-3">
          <BusyButton type="submit" busy={submit.busy} className="btn-primary btn-block">
            Login
          </BusyButton>
          <button
            type="button"
            className="btn btn-outline btn-block"
            onClick={() => navigate(href('/register'), { state })}
          >
            Register
          </button>
        </div>
      </SubmitForm>
    </AccountCard>
  )
}

/** The demo admin's credentials, while the demo data is loaded. */
function DemoHint() {
  const { demoAdmin } = useShop()
  if (!demoAdmin) return null
  return (
    <aside
      aria-label="Demo"
      className="wrap-anywhere rounded-box bg-base-200 p-4 text-center text-sm"
    >
      Log in as the demo admin to see the back office:
      <br />
      <strong>{demoAdmin.email}</strong> / <strong>{demoAdmin.password}</strong>
    </aside>
  )
}
