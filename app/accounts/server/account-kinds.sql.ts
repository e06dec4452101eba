/** Kinds of accounts: what holds for each. No other file asks whether an account is an admin's. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { ACCOUNT_KINDS, type AccountKind, refusalOf } from '#app/shared/contract/access.ts'
import { type Actor, admin, customer } from '#app/shared/server/actor/actor.ts'
import type { Row } from '#db/schema.ts'
import { ADMIN_ROLE } from '../session-contract.ts'

type Rules = {
  /** The role in the API (spec §3). */
  role: 0 | typeof ADMIN_ROLE
  /** The view of the users page that lists them. */
  view: 'customers' | 'admins'
  /** The audit log's name of their user. */
  actor: (account: { userId: string }) => Actor
  /** They can be closed, by their user or by an admin. */
  isClosable: boolean
  /** Their user sets a forgotten password, by the security answer or a link. Else the owner does. */
  resetsPassword: boolean
  /** A new password needs the current one. */
  provesPassword: boolean
  /** Sign-ins are in the audit log, and those from new places are reported by e-mail. */
  reportsSignIns: boolean
  /** Their user gets the e-mails to the staff: new orders, changed connections. `queue_emails()` has the same; a test compares. */
  getsStaffEmails: boolean
}

const RULES: Record<AccountKind, Rules> = {
  user: {
    role: 0,
    view: 'customers',
    actor: ({ userId }) => customer(userId),
    isClosable: true,
    resetsPassword: true,
    provesPassword: false,
    reportsSignIns: false,
    getsStaffEmails: false,
  },
  admin: {
    role: ADMIN_ROLE,
    view: 'admins',
    actor: admin,
    isClosable: false,
    resetsPassword: false,
    provesPassword: true,
    reportsSignIns: true,
    getsStaffEmails: true,
  },
}

/** The columns of `users` that say of which kind an account is. */
export const KIND_COLUMNS = ['users.is_admin'] as const
type KindColumns = Pick<Row<'users'>, 'is_admin'>

/** The kind of an account. */
export const kindOf = ({ is_admin }: KindColumns): AccountKind => (is_admin ? 'admin' : 'user')

/** What holds for an account. */
export const rulesOf = (account: KindColumns): Rules => RULES[kindOf(account)]

/** The columns of an account of this kind. */
export const columnsOfKind = (kind: AccountKind): KindColumns => ({ is_admin: kind === 'admin' })

const CONDITIONS: Record<AccountKind, RawBuilder<SqlBool>> = {
  user: sql`not users.is_admin`,
  admin: sql`users.is_admin`,
}

/** A condition for rows of `users`: the accounts of the chosen kinds. */
function accountsOf(isChosen: (rules: Rules, kind: AccountKind) => boolean): RawBuilder<SqlBool> {
  const chosen = ACCOUNT_KINDS.filter((kind) => isChosen(RULES[kind], kind))
  return sql`(${sql.join(
    chosen.map((kind) => CONDITIONS[kind]),
    sql` or `,
  )})`
}

const passesAsAdmin = (kind: AccountKind) => refusalOf('admin', kind) === null

/** Whether an account passes the access level of admins. */
export const isAdmin = (account: KindColumns): boolean => passesAsAdmin(kindOf(account))
/** The accounts that pass the access level of admins. */
export const ADMINS = accountsOf((_, kind) => passesAsAdmin(kind))

/** Accounts that a view of the users page lists, open ones or not. */
export const accountsInView = (shown: Rules['view']) => accountsOf(({ view }) => view === shown)
/** Accounts that are never customers'. */
export const NO_CUSTOMERS = accountsOf(({ view }) => view !== 'customers')
