/**
 * Accounts: registration, log-in, profile, closing, links in e-mails. The session itself is in
 * session-contract.ts.
 */
import { Type } from 'typebox'
import { type Contract, endpoint, type Limit } from '../shared/contract/endpoint.ts'
import {
  Done,
  EMAIL_ADDRESS,
  FilledCode,
  FilledName,
  FilledText,
  Nullable,
  Streamed,
  stripped,
  Text,
} from '../shared/contract/fields.ts'
import type { Stripped } from '../shared/model/visible-text.ts'
import { DeliveryAddress } from '../shipping/contract.ts'
import { User } from './session-contract.ts'

export const Email = stripped(
  'words',
  Text({
    maxLength: 254,
    pattern: `^\\s*${EMAIL_ADDRESS}\\s*$`,
    description: 'Compared without case',
  }),
)
const Name = FilledName(200)
const Phone = FilledCode(50)
const Address = FilledName(1000)
const SecurityAnswer = FilledText(200)
/** A password must not consist of blanks alone. */
const NewPassword = Text({ minLength: 8, maxLength: 128, pattern: '\\S' })
/** A text to compare; longer than any that can be set. */
const Given = Text({ minLength: 1, maxLength: 1000 })
/** The token of a link. */
const Token = Text({ minLength: 1, maxLength: 200, description: 'From the link in the e-mail' })
/**
 * Limits of changing the password or the security answer in the profile. Other fields have no
 * limit.
 */
export const NEW_SECRET_LIMITS: readonly Limit[] = [
  { by: 'address', max: 30, seconds: 600 },
  { by: 'account', max: 5, seconds: 600 },
  { by: 'account', max: 20, seconds: 86_400 },
]
/** In the profile, an empty field keeps the stored value. */
const Blank = Text({ maxLength: 128, pattern: '^\\s*$' })
const orEmpty = (kind: Stripped, maxLength: number) =>
  Type.Optional(stripped(kind, Text({ maxLength })))

export const accountCalls = {
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    summary: 'Opens an account',
    limits: [{ by: 'address', max: 100, seconds: 600 }],
    body: Type.Object({
      name: Name,
      email: Email,
      password: NewPassword,
      phone: Phone,
      address: Address,
      answer: SecurityAnswer,
    }),
    answer: Type.Object({ ...Done.properties, user: User }),
    status: 201,
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary:
      'Starts a session; it ends after seven days without a call, after thirty at the latest',
    limits: [{ by: 'address', max: 100, seconds: 300 }],
    body: Type.Object({ email: Given, password: Given }),
    answer: Type.Object({
      ...Done.properties,
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
      { by: 'address', max: 30, seconds: 600 },
      { by: 'account', max: 10, seconds: 600 },
    ],
    body: Type.Object({ email: Given, answer: Given, newPassword: NewPassword }),
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
      name: orEmpty('name', 200),
      password: Type.Optional(Type.Union([NewPassword, Blank])),
      currentPassword: Type.Optional(
        Text({
          maxLength: 1000,
          description:
            'For a new answer, and for a new password of an admin; else checked when sent',
        }),
      ),
      answer: Type.Optional(Type.Union([SecurityAnswer, Blank])),
      phone: orEmpty('code', 50),
      address: orEmpty('name', 1000),
      delivery: Type.Optional(Nullable(DeliveryAddress)),
    }),
    answer: Type.Object({ ...Done.properties, updatedUser: User }),
  }),
  getMyData: endpoint({
    method: 'GET',
    path: '/auth/my-data',
    access: 'user',
    owner: 'caller',
    summary: 'All data stored about the caller, as one JSON file',
    limits: [{ by: 'account', max: 10, seconds: 3600 }],
    answer: Streamed,
  }),
  closeAccount: endpoint({
    method: 'POST',
    path: '/auth/close-account',
    access: 'user',
    owner: 'caller',
    summary: 'Closes the own account permanently; its orders stay, without a name',
    limits: [
      { by: 'address', max: 30, seconds: 600 },
      { by: 'account', max: 10, seconds: 600 },
    ],
    body: Type.Object({ password: Given }),
    answer: Done,
  }),
} satisfies Contract

/** Links in e-mails: confirming the address, and a new password without the security answer. */
export const accountEmailCalls = {
  requestResetLink: endpoint({
    method: 'POST',
    path: '/auth/reset-link',
    access: 'public',
    summary:
      'Sends a link that sets a new password, where the shop sends e-mails; the answer does not tell whether there is an account',
    limits: [
      { by: 'address', max: 30, seconds: 600 },
      { by: 'account', max: 5, seconds: 600 },
    ],
    body: Type.Object({ email: Given }),
    answer: Done,
  }),
  resetByLink: endpoint({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    summary: 'Sets a new password by the token of a link, once, and ends every session',
    limits: [{ by: 'address', max: 30, seconds: 600 }],
    body: Type.Object({ token: Token, newPassword: NewPassword }),
    answer: Done,
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/auth/confirm-email',
    access: 'public',
    identifiesCaller: true,
    summary:
      'Confirms the e-mail address of an account by the token of a link, once; without a session of the account, its security answer is replaced and its sessions end',
    limits: [{ by: 'address', max: 30, seconds: 600 }],
    body: Type.Object({ token: Token }),
    answer: Done,
  }),
  getEmailStatus: endpoint({
    method: 'GET',
    path: '/auth/email-status',
    access: 'user',
    owner: 'caller',
    summary: 'Whether the own e-mail address is confirmed',
    answer: Type.Object({ email: Type.String(), confirmed: Type.Boolean() }),
  }),
  requestConfirmation: endpoint({
    method: 'POST',
    path: '/auth/email-confirmation',
    access: 'user',
    owner: 'caller',
    summary: 'Sends another link to confirm the own e-mail address',
    limits: [{ by: 'account', max: 3, seconds: 3600 }],
    answer: Done,
  }),
} satisfies Contract
