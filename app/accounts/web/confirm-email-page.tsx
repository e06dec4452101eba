import { useState } from 'react'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { accountEmailCalls } from '../contract.ts'
import { AccountCard } from './account-card.tsx'
import { INCOMPLETE, useLinkToken } from './link-token.ts'

/**
 * Confirms the e-mail address by the link in an e-mail. A button sends the token: programs that open
 * links to check them must not use it up.
 */
export default function ConfirmEmailPage() {
  const token = useLinkToken()
  const [confirmed, setConfirmed] = useState('')
  const { busy, form } = useSubmit(async () => {
    const { message } = await call(accountEmailCalls.confirmEmail, { body: { token: token ?? '' } })
    setConfirmed(message)
  })
  return (
    <AccountCard page="Confirm e-mail" title="Confirm your e-mail address">
      <div role="status" className="text-center text-lg empty:hidden">
        {confirmed}
      </div>
      {token === null && <p>{INCOMPLETE}</p>}
      {confirmed ? (
        <p className="text-center">
          <a href="/" className="link link-primary">
            Go to the shop
          </a>{' '}
          or{' '}
          <a href={href('/dashboard/user/profile')} className="link link-primary">
            to your profile
          </a>
        </p>
      ) : (
        <form {...form}>
          <BusyButton
            type="submit"
            busy={busy}
            reason={token === null ? INCOMPLETE : null}
            className="btn-primary btn-block"
          >
            Confirm my address
          </BusyButton>
          <p className="mt-4 text-sm">
            If you are not signed in here, the security answer of the account stops working for your
            safety, and every device is signed out. Your password stays; set a new answer in your
            profile.
          </p>
        </form>
      )}
    </AccountCard>
  )
}
