import { Checkbox } from '#app/back-office/kit/fields.tsx'
import { NOT_SENT } from '#app/emails/model.ts'
import { useShop } from '#app/shared/web/shop.ts'

const NO_ADDRESS = 'No e-mail is sent: the customer has no address.'

/** Why customers are not told by e-mail, of one with an address; null if they are. */
export function useNotSent(email?: string): string | null {
  const { sendsEmail } = useShop()
  if (email?.trim() === '') return NO_ADDRESS
  return sendsEmail ? null : NOT_SENT
}

type Props = {
  label: string
  name?: string
  /** The address of the customer, if it is one. */
  email?: string
}

/** Whether customers are told by e-mail: no choice without an address; a shop that sends none says so. */
export function MailCheckbox({ label, name = 'mails', email }: Props) {
  const notSent = useNotSent(email)
  return (
    <div>
      {notSent !== NO_ADDRESS && <Checkbox label={label} name={name} />}
      {notSent !== null && <p className="text-base-content/75">{notSent}</p>}
    </div>
  )
}
