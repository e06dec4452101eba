import { useRevalidator } from 'react-router'
import { emailAdminCalls, type ListedEmail, RETRYABLE_STATES } from '#app/emails/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { toast } from '#app/shared/web/toast.tsx'

type Props = {
  email: ListedEmail
  /** The id of the element that names the e-mail. */
  describedBy: string
}

/** Sends an e-mail again that was not delivered; a kept one once there is an SMTP server. */
export function RetryButton({ email: { _id: id, state }, describedBy }: Props) {
  const { sendsEmail } = useShop()
  const { revalidate } = useRevalidator()
  const { busy, form } = useSubmit(
    async () => {
      // also after a failure: the list may have changed
      const retrying = call(emailAdminCalls.retryEmail, { params: { id } }).finally(revalidate)
      toast.success((await retrying).message)
    },
    { failed: 'The e-mail could not be queued again.', refused: revalidate },
  )
  if (!RETRYABLE_STATES.includes(state) || (state === 'kept' && !sendsEmail)) return null
  return (
    <form {...form}>
      <BusyButton type="submit" busy={busy} aria-describedby={describedBy} className="btn-sm">
        Send again
      </BusyButton>
    </form>
  )
}
