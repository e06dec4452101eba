/** The session of a signed-in user, as every page needs it. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Id } from '../shared/contract/fields.ts'
import { SavedAddress } from '../shipping/contract.ts'

/** 1 is an admin, any other number an ordinary user (spec §3). */
export const ADMIN_ROLE = 1

/** Whether a user is an admin; false without one. */
export const isAdmin = (user: { role?: number } | null | undefined) => user?.role === ADMIN_ROLE

export const User = Type.Object({
  _id: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  role: Type.Integer({ description: '1 means admin' }),
  /** The delivery address in parts that checkout suggests. */
  delivery: Type.Optional(SavedAddress),
})
export type User = Static<typeof User>

export const sessionCalls = {
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    access: 'user',
    owner: 'caller',
    summary: 'Ends the session on the server',
    answer: Type.Object({ success: Type.Literal(true) }),
  }),
  checkUser: endpoint({
    method: 'GET',
    path: '/auth/user-auth',
    access: 'user',
    summary: 'Whether the token is a valid session',
    answer: Type.Object({ ok: Type.Literal(true) }),
  }),
} satisfies Contract
