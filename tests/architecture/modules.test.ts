/** Domain modules: their public interface, and their tables. */
import { checkRules } from './check-rules.ts'
import {
  domainOf,
  forbids,
  isContract,
  isDomains,
  isIn,
  isModule,
  isTest,
  LIST,
  PROVIDERS,
} from './paths.ts'
import type { Source } from './source.ts'

const WRITES =
  /(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)|\b(?:insert into|delete from|merge into|update(?=\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set\b))\s+(\w+)/g

/** The tables that a file writes. */
const tablesOf = ({ path, text }: Source) =>
  isDomains(path) && !isTest(path)
    ? [...text.matchAll(WRITES)].map(([, called, written]) => called ?? written ?? '')
    : []

checkRules('modules', [
  {
    rule: '3. only app/modules.ts imports a module.ts, and nothing else of the domains',
    breaks: ({ path, imports }) =>
      imports
        .filter(({ to }) => isModule(to) !== (path === LIST))
        .map(({ specifier }) => specifier),
    planted: {
      'server/app.ts': "import { cart } from '#app/cart/server/module.ts'",
      'app/orders/server/service.ts': "import { cart } from '#app/cart/server/module.ts'",
      'app/cart/server/cart.test.ts': "import { cart } from './module.ts'",
      'app/modules.ts': "import { x } from './cart/server/store.ts'",
    },
  },
  {
    rule: '3. the root server/ imports of the domains only app/modules.ts, contracts, and the list of payment providers',
    breaks: forbids(
      (path) => isIn(path, 'server/'),
      (to) => !isDomains(to) || isContract(to) || to === PROVIDERS,
    ),
    planted: {
      'server/app.ts': "import { x } from '#app/cart/server/service.ts'",
      'server/operation/metrics.ts': "import { x } from '#app/orders/server/metrics-store.ts'",
      'server/site.ts': "import { x } from '#app/cart/web/cart.ts'",
      'server/headers.ts': "import { x } from '#app/payments/server/providers/razorpay.ts'",
    },
  },
  {
    rule: '4. a table is written only by the stores of its own domain',
    breaks: (source, all) => {
      const ours = tablesOf(source)
      if (ours.length === 0) return []
      const others = all.filter(({ path }) => domainOf(path) !== domainOf(source.path))
      const theirs = new Set(others.flatMap(tablesOf))
      return ours.filter((table) => theirs.has(table))
    },
    planted: {
      'app/cart/server/store.ts': "db.updateTable('carts').set({ closed: true })",
      'app/orders/server/store.ts': 'sql`update carts as c set closed = true`',
      'app/payments/server/store.ts': 'sql`delete from carts`',
    },
  },
])
