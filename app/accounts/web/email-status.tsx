import { useRevalidator } from 'react-router'
import type { Answer } from '#app/shared/contract/endpoint.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { accountEmailCalls } from '../contract.ts'

type Props = { status: Answer<typeof accountEmailCalls.getEmailStatus> }

/** Whether the e-mail address is confirmed; sends another link to confirm it, where the shop sends e-mails. */
export function EmailStatus({ status: { email, confirmed } }: Props) {
  const { sendsEmail } = useShop()
  const { revalidate } = useRevalidator()
  const { busy, form } = useSubmit(
    async () => {
      const { message } = await call(accountEmailCalls.requestConfirmation).finally(revalidate)
      toast.success(message)
    },
    { refused: revalidate },
  )
  const canConfirm = sendsEmail && !confirmed
  return (
    <section className="mt-10 border-base-300 border-t pt-6">
      <h2 className="text-xl">E-mail address</h2>
      <p className="wrap-anywhere mt-2 mb-4 text-base-content/75">
        {email} {confirmed ? 'is confirmed.' : 'is not confirmed yet.'}
        {canConfirm && ' Open the link in the e-mail that we sent you.'}
      </p>
      {canConfirm && (
        <form {...form}>
          <BusyButton type="submit" busy={busy} className="">
            Send another link
          </BusyButton>
        </form>
      )}
    </section>
  )
}
