import { type SyntheticEvent, useState } from 'react'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import type { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { isAdmin, type User } from '../session-contract.ts'
import { AccountField } from './account-field.tsx'

type Props = { user: User | null; save: ReturnType<typeof useSubmit> }

/**
 * The fields of the profile. The current password field appears when a new password or a new
 * security answer is entered. Admins have no field for the answer, because it cannot reset an
 * admin's password.
 */
export function ProfileForm({ user, save }: Props) {
  const [setsSecret, setSetsSecret] = useState(false)
  const onInput = ({ currentTarget }: SyntheticEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget)
    setSetsSecret(['password', 'answer'].some((name) => String(form.get(name) ?? '').trim() !== ''))
  }
  return (
    <SubmitForm submit={save} onInput={onInput} className="space-y-4">
      <AccountField of="name" defaultValue={user?.name} />
      <AccountField of="email" value={user?.email ?? ''} readOnly />
      <AccountField
        of="newPassword"
        name="password"
        label="Password"
        hint="Leave it empty to keep your password. A new one has at least 8 characters."
      />
      <AccountField of="phone" defaultValue={user?.phone} />
      <AccountField of="address" defaultValue={user?.address} />
      {!isAdmin(user) && (
        <AccountField
          of="answer"
          hint="What is your favourite sport? It lets you reset a forgotten password. Leave it empty to keep your answer."
        />
      )}
      {setsSecret && (
        <AccountField
          of="currentPassword"
          hint="Needed to change your password or your answer."
          required
        />
      )}
      <BusyButton type="submit" busy={save.busy} className="btn-primary mt-2 w-full sm:w-40">
        UPDATE
      </BusyButton>
    </SubmitForm>
  )
}
