/** Links in e-mails: confirming the address, and a new password without the security answer. */
import { Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, Text } from '../shared/contract/fields.ts'
import { NewPassword } from './contract.ts'

/** The token of a link. */
const Token = Text({ minLength: 1, maxLength: 200, description: 'From the link in the e-mail' })

export const accountEmailCalls = {
  requestResetLink: endpoint({
    method: 'POST',
    path: '/auth/reset-link',
    access: 'public',
    summary:
      'Sends a link that sets a new password, where the shop sends e-mails; the answer does not tell whether there is an account',
    limits: [
      { by: 'address', most: 30, seconds: 600 },
      { by: 'account', most: 5, seconds: 600 },
    ],
    body: Type.Object({ email: Text({ minLength: 1, maxLength: 1000 }) }),
    answer: Done,
  }),
  resetByLink: endpoint({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    summary: 'Sets a new password by the token of a link, once, and ends every session',
    limits: [{ by: 'address', most: 30, seconds: 600 }],
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
    limits: [{ by: 'address', most: 30, seconds: 600 }],
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
    limits: [{ by: 'account', most: 3, seconds: 3600 }],
    answer: Done,
  }),
} satisfies Contract
