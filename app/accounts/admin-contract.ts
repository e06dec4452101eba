/** The back office's calls for accounts: list and show them, notes, roles, sessions, export, closing. */
import { type Static, Type } from 'typebox'
import { ORDER_STATUSES } from '../orders/contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Done,
  FilledText,
  Id,
  Nullable,
  Page,
  Price,
  SearchText,
  Streamed,
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

/** The parts of the list. */
export const USER_VIEWS = ['customers', 'admins', 'closed'] as const

/** The list of users. Neither orders nor spent are stored, so it is not sorted by them. */
export const UserFilter = Type.Object({
  page: Type.Optional(Page),
  q: SearchText('Part of the name or e-mail; finds the newest thousand'),
  view: Type.Optional(Type.Enum([...USER_VIEWS])),
  sort: Type.Optional(Type.Enum(['since', '-since', 'name', '-name'])),
})
export type UserFilter = Static<typeof UserFilter>

const Note = Type.Object({
  _id: Id,
  text: Type.String(),
  author: Type.String(),
  at: Timestamp,
})

/** A user with what the shop knows of them. */
export const UserDetail = Type.Object({
  ...ListedUser.properties,
  emailConfirmedAt: Nullable(Timestamp),
  allOrders: Type.Integer({ description: 'Cancelled, refunded and test orders, too' }),
  openOrders: Type.Array(Type.Object({ _id: Id, number: Type.Integer() }), {
    description: 'Not sent or not paid yet: they keep the account open',
  }),
  latestOrders: Type.Array(
    Type.Object({
      _id: Id,
      number: Type.Integer(),
      date: Timestamp,
      status: Type.Enum([...ORDER_STATUSES]),
      total: Price,
      currency: Type.String({ description: 'ISO 4217' }),
      products: Type.Array(Type.Object({ name: Type.String(), quantity: Type.Integer() })),
    }),
    { description: 'The latest five' },
  ),
  addresses: Type.Array(Type.String(), {
    description: 'To which orders were sent lately, each once: the latest five',
  }),
  coupons: Type.Array(
    Type.Object({
      _id: Id,
      name: Type.String({ description: 'The code, or the title' }),
      isDeleted: Type.Boolean(),
      uses: Type.Integer(),
    }),
    { description: 'The discounts that were used, the latest twenty' },
  ),
  sessions: Type.Array(Type.Object({ since: Timestamp, until: Timestamp }), {
    description: 'Where the user is signed in now, newest first',
  }),
  places: Type.Array(Type.Object({ kind: Type.Enum(['network', 'browser']), seenAt: Timestamp }), {
    description:
      'Networks of the last thirty days, and browsers of an admin; only hashes of them are stored',
  }),
  notes: Type.Array(Note, { description: 'Of admins, newest first' }),
})
export type UserDetail = Static<typeof UserDetail>

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
    summary: 'A page of fifty users, by default newest first; the total is in X-Total-Count',
    query: UserFilter,
    answer: Type.Array(ListedUser),
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/auth/user/:userId',
    access: 'admin',
    summary: 'A user with orders, discounts, sign-ins and notes',
    params: ByUser,
    answer: UserDetail,
  }),
  exportUserData: endpoint({
    method: 'GET',
    path: '/auth/user-data/:userId',
    access: 'admin',
    summary: 'What is stored about a user as a JSON document, as the user can download it',
    params: ByUser,
    answer: Streamed,
  }),
  addUserNote: endpoint({
    method: 'POST',
    path: '/auth/user-notes/:userId',
    access: 'admin',
    summary: 'Adds a note to a user, who sees it only in the export of their data',
    params: ByUser,
    body: Type.Object({ text: FilledText(2000) }),
    answer: Done,
    status: 201,
  }),
  deleteUserNote: endpoint({
    method: 'DELETE',
    path: '/auth/user-note/:id',
    access: 'admin',
    summary: 'Deletes a note of a user',
    params: Type.Object({ id: Id }),
    answer: Done,
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
