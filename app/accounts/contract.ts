/**
 * Accounts: registration, log-in, profile, closing. The session itself is in session-contract.ts.
 */
import { Type } from 'typebox'
import { type Contract, endpoint, type Limit } from '../shared/contract/endpoint.ts'
import {
  Done,
  EMAIL_ADDRESS,
  FilledText,
  Nullable,
  Streamed,
  Text,
} from '../shared/contract/fields.ts'
import { DeliveryAddress } from '../shipping/contract.ts'
import { User } from './session-contract.ts'

const Email = Text({
  maxLength: 254,
  pattern: `^\\s*${EMAIL_ADDRESS}\\s*$`,
  description: 'Compared without case',
})
const Name = FilledText(200)
const Phone = FilledText(50)
const Address = FilledText(1000)
const SecurityAnswer = FilledText(200)
/** A password must not consist of blanks alone. */
export const NewPassword = Text({ minLength: 8, maxLength: 128, pattern: '\\S' })
/** A password to compare; longer than any that can be set. */
const GivenPassword = Text({ minLength: 1, maxLength: 1000 })
/**
 * Limits of changing the password or the security answer in the profile. Other fields have no
 * limit.
 */
export const NEW_SECRET_LIMITS: readonly Limit[] = [
  { by: 'address', most: 30, seconds: 600 },
  { by: 'account', most: 5, seconds: 600 },
  { by: 'account', most: 20, seconds: 86_400 },
]
/** In the profile, an empty field keeps the stored value. */
const Blank = Text({ maxLength: 128, pattern: '^\\s*$' })
const orEmpty = (maxLength: number) => Type.Optional(Text({ maxLength }))

export const accountCalls = {
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    summary: 'Opens an account',
    limits: [{ by: 'address', most: 100, seconds: 600 }],
    body: Type.Object({
      name: Name,
      email: Email,
      password: NewPassword,
      phone: Phone,
      address: Address,
      answer: SecurityAnswer,
    }),
    answer: Type.Object({ success: Type.Literal(true), message: Type.String(), user: User }),
    status: 201,
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary:
      'Starts a session; it ends after seven days without a call, after thirty at the latest',
    limits: [{ by: 'address', most: 100, seconds: 300 }],
    body: Type.Object({ email: Text({ minLength: 1, maxLength: 1000 }), password: GivenPassword }),
    answer: Type.Object({
      success: Type.Literal(true),
      message: Type.String(),
      user: User,
      token: Type.String({ description: 'Sent as the whole Authorization header' }),
    }),
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    summary: 'Sets a new password by the security answer and ends every session; not for admins',
    limits: [
      { by: 'address', most: 30, seconds: 600 },
      { by: 'account', most: 10, seconds: 600 },
    ],
    body: Type.Object({
      email: Text({ minLength: 1, maxLength: 1000 }),
      answer: Text({ minLength: 1, maxLength: 1000 }),
      newPassword: NewPassword,
    }),
    answer: Done,
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/auth/profile',
    access: 'user',
    owner: 'caller',
    repeatsMessage: true,
    summary:
      'Changes the own profile; a new password ends the other sessions, and may be set five times in ten minutes',
    body: Type.Object({
      name: orEmpty(200),
      password: Type.Optional(Type.Union([NewPassword, Blank])),
      currentPassword: Type.Optional(
        Text({
          maxLength: 1000,
          description:
            'For a new answer, and for a new password of an admin; else checked when sent',
        }),
      ),
      answer: Type.Optional(Type.Union([SecurityAnswer, Blank])),
      phone: orEmpty(50),
      address: orEmpty(1000),
      delivery: Type.Optional(Nullable(DeliveryAddress)),
    }),
    answer: Type.Object({ success: Type.Literal(true), message: Type.String(), updatedUser: User }),
  }),
  getMyData: endpoint({
    method: 'GET',
    path: '/auth/my-data',
    access: 'user',
    owner: 'caller',
    summary: 'All data stored about the caller, as one JSON file',
    limits: [{ by: 'account', most: 10, seconds: 3600 }],
    answer: Streamed,
  }),
  closeAccount: endpoint({
    method: 'POST',
    path: '/auth/close-account',
    access: 'user',
    owner: 'caller',
    summary: 'Closes the own account permanently; its orders stay, without a name',
    limits: [
      { by: 'address', most: 30, seconds: 600 },
      { by: 'account', most: 10, seconds: 600 },
    ],
    body: Type.Object({ password: GivenPassword }),
    answer: Done,
  }),
} satisfies Contract
