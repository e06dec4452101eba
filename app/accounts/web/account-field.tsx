import type { ComponentProps } from 'react'
import { Field } from '#app/shared/web/form/field.tsx'

const PASSWORD = { type: 'password', autoComplete: 'current-password' }

/** The fields of accounts, as browsers and password managers know them. */
const FIELDS = {
  name: { label: 'Name', autoComplete: 'name' },
  email: { label: 'Email', type: 'email', autoComplete: 'username' },
  phone: { label: 'Phone', type: 'tel', autoComplete: 'tel' },
  address: { label: 'Address', autoComplete: 'street-address' },
  answer: { label: 'Answer', autoComplete: 'off', hint: 'What is your favourite sport?' },
  password: { ...PASSWORD, label: 'Password' },
  currentPassword: { ...PASSWORD, label: 'Current password' },
  newPassword: {
    label: 'New Password',
    type: 'password',
    autoComplete: 'new-password',
    minLength: 8,
    hint: 'At least 8 characters.',
  },
}

type Props = Partial<ComponentProps<typeof Field>> & { of: keyof typeof FIELDS }

/** A field of an account; its name is `of`, unless another one is given. */
export const AccountField = ({ of, ...more }: Props) => (
  <Field name={of} {...FIELDS[of]} {...more} />
)
