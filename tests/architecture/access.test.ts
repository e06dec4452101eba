/** Access is decided in one table, and the kind of an account in one file. */
import { checkRules } from './check-rules.ts'
import { isIn, isTest } from './paths.ts'

/** The table, with the questions about it. */
const TABLE = 'app/shared/contract/access.ts'
const THIS = 'tests/architecture/access.test.ts'
/** What holds for each kind of account. */
const KINDS = 'app/accounts/server/account-kinds.sql.ts'
/** The column as data: audited, exported, a fact of an event and its e-mail. */
const DATA = [
  'app/accounts/server/store.ts',
  'app/accounts/server/reset-link.ts',
  'app/audit/web/admin/labels.ts',
  'app/emails/server/',
  'app/shared/server/outbox/events.ts',
]

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([all]) => all)

checkRules('access', [
  {
    rule: `an access level is compared only in ${TABLE}`,
    breaks: ({ path, text }) =>
      path === TABLE || path === THIS ? [] : found(text, /\baccess\s*[!=]==\s*['"`]\w+/g),
    planted: {
      'app/orders/server/api.ts': "const isOfStaff = access === 'admin'",
      'tests/ownership.test.ts': "const sender = endpoint.access !== 'user' ? admin : person",
    },
  },
  {
    rule: `only ${KINDS} asks whether an account is an admin's`,
    breaks: ({ path, text }) =>
      path === KINDS || isTest(path) || !isIn(path, 'app/', 'server/') || isIn(path, ...DATA)
        ? []
        : found(text, /\bis_admin\b/g),
    planted: {
      'app/orders/server/service.ts': 'if (user.is_admin) throw conflict()',
      'app/orders/server/store.ts': 'const ADMINS = sql`where users.is_admin`',
    },
  },
  {
    rule: 'pages ask `isAdmin` of accounts/session-contract.ts whether a user is an admin',
    breaks: ({ path, text }) =>
      path === 'app/accounts/session-contract.ts' || isTest(path)
        ? []
        : found(text, /[!=]==\s*ADMIN_ROLE\b/g),
    planted: { 'app/cart/web/cart-page.tsx': 'user?.role === ADMIN_ROLE' },
  },
])
