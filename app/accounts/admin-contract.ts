/** The back office's calls for accounts: list them, change roles, end sessions, close accounts. */
import { type Static, Type } from 'typebox'
import type { AdminMenu } from '../shared/contract/admin-menu.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Done,
  Id,
  Nullable,
  Page,
  Price,
  SearchText,
  Timestamp,
} from '../shared/contract/fields.ts'
import { ADMIN_ROLE, User } from './session-contract.ts'

/** A user in the admin's list. */
export const ListedUser = Type.Object({
  ...User.properties,
  createdAt: Timestamp,
  closedAt: Nullable({ ...Timestamp, description: 'When the account was closed' }),
  orders: Type.Integer(),
  spent: Price,
})
export type ListedUser = Static<typeof ListedUser>

const ByUser = Type.Object({ userId: Id })

export const userAdminCalls = {
  checkAdmin: endpoint({
    method: 'GET',
    path: '/auth/admin-auth',
    access: 'admin',
    summary: "Whether the token is an admin's session",
    answer: Type.Object({ ok: Type.Literal(true) }),
  }),
  getAllUsers: endpoint({
    method: 'GET',
    path: '/auth/all-users',
    access: 'admin',
    summary: 'A page of fifty users, newest first; the total is in X-Total-Count',
    query: Type.Object({
      page: Type.Optional(Page),
      q: SearchText('Part of the name or e-mail; finds the newest thousand'),
    }),
    answer: Type.Array(ListedUser),
  }),
  setUserRole: endpoint({
    method: 'PUT',
    path: '/auth/user-role/:userId',
    access: 'admin',
    summary: 'Makes a user an admin or an ordinary user; not for the own account',
    params: ByUser,
    body: Type.Object({ role: Type.Union([Type.Literal(0), Type.Literal(ADMIN_ROLE)]) }),
    answer: Type.Object({ ...Done.properties, user: User }),
  }),
  endUserSessions: endpoint({
    method: 'DELETE',
    path: '/auth/user-sessions/:userId',
    access: 'admin',
    summary: 'Ends every session of a user',
    params: ByUser,
    answer: Done,
  }),
  closeUserAccount: endpoint({
    method: 'DELETE',
    path: '/auth/user/:userId',
    access: 'admin',
    summary: "Closes a user's account permanently; not for admins; its orders stay, without a name",
    params: ByUser,
    answer: Done,
  }),
} satisfies Contract

export const adminMenu: AdminMenu = [
  { path: '/dashboard/admin/users', label: 'Users', position: 60 },
]
