/** The dependency rules of ARCHITECTURE.md. */
import { readFileSync } from 'node:fs'
import { checkRules } from './check-rules.ts'
import {
  domainOf,
  forbids,
  isContract,
  isIn,
  isOurs,
  isSharedContract,
  isTest,
  LIST,
  webDomain,
} from './paths.ts'
import type { Import } from './source.ts'

/** The packages of a production install. */
const { dependencies: INSTALLED } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** Files that a shop runs in production: neither its pages, which are built, nor the tools of developers. */
const runsInProduction = (path: string) =>
  !isTest(path) &&
  path !== 'server/development.ts' &&
  (isIn(path, 'server/', 'db/', 'demo/', 'bench/seed/', 'bin/shop', 'bin/start.ts') ||
    /^app\/(modules\.ts|\w+\/(server|contract|model)\/|\w+\/([\w-]+-)?(contract|model)\.ts)/.test(
      path,
    ))

const isFastify = ({ to }: Import) => to === 'fastify' || to.startsWith('@fastify')
const SQL_CALLS = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']

checkRules('dependencies', [
  {
    rule: '1. contracts and models import only shared/contract, shared/model, contracts and models; typebox only contracts',
    breaks: forbids(
      isContract,
      (to, path) =>
        isContract(to) || isSharedContract(to) || (to === 'typebox' && /contract\.ts$/.test(path)),
    ),
    planted: {
      'app/cart/contract.ts': "import { x } from './server/store.ts'",
      'app/orders/contract.ts': "import fastify from 'fastify'",
      'app/cart/model.ts': "import { x } from './web/cart.ts'",
      'app/orders/model.ts': "import { Type } from 'typebox'",
    },
  },
  {
    rule: '2. web/ imports contracts, models, shared/web, and web folders; never server/ or db/',
    breaks: forbids(
      (path) => /^app\/\w+\/web\//.test(path) && !isIn(path, 'app/shared/'),
      (to, path) =>
        (!isOurs(to) && !to.startsWith('node:')) ||
        isContract(to) ||
        isSharedContract(to) ||
        isIn(to, 'app/shared/web/') ||
        (isIn(to, 'app/back-office/') && path.includes('/web/admin/')) ||
        webDomain(to) !== undefined,
    ),
    planted: {
      'app/cart/web/a.ts': "import { x } from '../server/store.ts'",
      'app/cart/web/b.ts': "import { x } from '#db/connect.ts'",
      'app/cart/web/d.ts': "import { x } from '#app/layouts/navbar.tsx'",
      'app/cart/web/f.tsx': "import { x } from '#app/back-office/fields.tsx'",
      'app/cart/web/e.ts': "import { readFile } from 'node:fs/promises'",
    },
  },
  {
    rule: 'pages of a purchase ask useBuyer, and know no session',
    breaks: forbids(
      (path) => /^app\/(cart|checkout|coupons|payments|shipping)\/web\/(?!admin\/)/.test(path),
      (to) => to !== 'app/accounts/web/session.ts',
    ),
    planted: {
      'app/checkout/web/a.ts': "import { sessionAtom } from '#app/accounts/web/session.ts'",
    },
  },
  {
    rule: '2. layouts, info and the roots of the site never import server/ or db/',
    breaks: forbids(
      (path) =>
        path !== LIST &&
        (isIn(path, 'app/layouts/', 'app/info/', 'app/back-office/') || /^app\/[\w.]+$/.test(path)),
      (to) => !/^app\/\w+\/server\//.test(to) && !isIn(to, 'server/', 'db/', LIST),
    ),
    planted: {
      'app/layouts/a.tsx': "import { x } from '#app/cart/server/store.ts'",
      'app/root.tsx': "import { x } from '#db/schema.ts'",
      'app/routes.ts': "import { modules } from './modules.ts'",
    },
  },
  {
    rule: '3. server/ folders import their own folder, shared/server, db/schema, db/locks, db/prepared, contracts, models; of another domain neither its api, its stores, its presenters nor its module',
    breaks: forbids(
      (path) => /^app\/\w+\/server\//.test(path) && !isIn(path, 'app/shared/'),
      (to, path) =>
        !isOurs(to) ||
        isContract(to) ||
        isSharedContract(to) ||
        isIn(to, 'app/shared/server/', `app/${domainOf(path)}/server/`) ||
        to === 'db/schema.ts' ||
        to === 'db/locks.ts' ||
        to === 'db/prepared.ts' ||
        (/^app\/\w+\/server\//.test(to) && !/(api|store|presenter|module)\.ts$/.test(to)),
    ),
    planted: {
      'app/cart/server/a.ts': "import { x } from '#app/products/server/store.ts'",
      'app/cart/server/b.ts': "import { x } from '../web/cart.ts'",
      'app/cart/server/c.ts': "import { x } from '#db/connect.ts'",
      'app/cart/server/d.ts': "import { x } from '#app/products/server/search/api.ts'",
      'app/cart/server/e.ts': "import { x } from '#app/orders/server/presenter.ts'",
    },
  },
  {
    rule: '4. SQL only in store.ts, in .sql.ts for the statements of other domains, db/ and demo/',
    breaks: ({ path, calls, tags, imports }) =>
      isTest(path) ||
      /(^|[/-])store\.ts$|\.sql\.ts$/.test(path) ||
      isIn(path, 'db/', 'demo/', 'bench/', 'tools/')
        ? []
        : [
            ...SQL_CALLS.filter((name) => calls.has(name)),
            ...(tags.has('sql') ? ['sql``'] : []),
            ...imports
              .filter(({ to, typeOnly }) => to === 'pg' || (to === 'kysely' && !typeOnly))
              .map(({ specifier }) => specifier),
          ],
    planted: {
      'app/cart/server/service.ts': "db.selectFrom('carts')",
      'app/cart/server/api.ts': 'sql`select 1`',
      'server/app.ts': "import { sql } from 'kysely'",
    },
  },
  {
    rule: '4. advisory locks only in db/locks.ts, where each has a number of its own',
    breaks: ({ path, text }) =>
      isTest(path) || path === 'db/locks.ts' || !/advisory/i.test(text) ? [] : ['advisory'],
    planted: {
      'app/cart/server/store.ts': 'sql`select pg_advisory_xact_lock(7)`',
      'db/connect.ts': "const LOCK = 'select PG_TRY_ADVISORY_LOCK(7)'",
    },
  },
  {
    rule: '4. a change is made in a transaction that says who makes it',
    breaks: ({ path, calls }) =>
      isTest(path) ||
      isIn(path, 'db/', 'demo/', 'bench/', 'app/shared/server/in-transaction.ts') ||
      /-store\.ts$/.test(path) ||
      !calls.has('transaction')
        ? []
        : ['begins a transaction without inTransaction'],
    planted: { 'app/cart/server/service.ts': 'db.transaction().execute(work)' },
  },
  {
    rule: '4. Fastify only in api.ts, shared/server and server/',
    breaks: ({ path, imports }) =>
      isTest(path) || /\/server\/api\.ts$/.test(path) || isIn(path, 'app/shared/server/', 'server/')
        ? []
        : imports.filter(isFastify).map(({ specifier }) => specifier),
    planted: {
      'app/cart/server/service.ts': "import type { FastifyRequest } from 'fastify'",
      'db/connect.ts': "import cors from '@fastify/cors'",
    },
  },
  {
    rule: '4. process.env only in server/config.ts',
    breaks: ({ path, readsEnvironment, imports }) =>
      isTest(path) || path === 'server/config.ts' || isIn(path, 'bin/', 'bench/', 'tools/')
        ? []
        : [
            ...(readsEnvironment ? ['process.env'] : []),
            ...imports.filter(({ to }) => to === 'node:process').map(({ to }) => to),
          ],
    planted: {
      'app/cart/server/service.ts': 'export const port = process.env.PORT',
      'server/app.ts': "import { env } from 'node:process'",
    },
  },
  {
    rule: '4. @nanostores/react only in storage.ts, whose first render is that of the server',
    breaks: forbids(
      (path) => path !== 'app/shared/web/storage.ts',
      (to) => to !== '@nanostores/react',
    ),
    planted: { 'app/cart/web/cart-page.tsx': "import { useStore } from '@nanostores/react'" },
  },
  {
    rule: '4. an icon is imported by its path: the index of lucide-react is 2,400 files of each build',
    breaks: ({ imports }) =>
      imports
        .filter(({ specifier, typeOnly }) => !typeOnly && specifier === 'lucide-react')
        .map(({ specifier }) => specifier),
    planted: { 'app/back-office/bell.tsx': "import { Bell } from 'lucide-react'" },
  },
  {
    rule: '4. what runs in production imports only packages of `dependencies`',
    breaks: ({ path, imports }) =>
      runsInProduction(path)
        ? imports
            .filter(({ to, typeOnly }) => !typeOnly && !isOurs(to) && !to.startsWith('node:'))
            .map(({ to }) => to)
            .filter((name) => !(name in INSTALLED))
        : [],
    planted: {
      'server/app.ts': "import { createServer } from 'vite'",
      'bin/shop/seed.ts': "const { sample } = await import('fast-check')",
      'app/orders/server/a.ts': "import { atom } from 'nanostores'",
    },
  },
  {
    rule: '5. shared/ knows no domain, and its sides meet only in the contract and the model',
    breaks: forbids(
      (path) => isIn(path, 'app/shared/'),
      (to, path) =>
        !isOurs(to) ||
        isSharedContract(to) ||
        (!isSharedContract(path) && isIn(to, path.split('/').slice(0, 3).join('/'))) ||
        (isIn(path, 'app/shared/server/') && ['db/schema.ts', 'db/prepared.ts'].includes(to)),
    ),
    planted: {
      'app/shared/web/a.ts': "import { x } from '#app/cart/contract.ts'",
      'app/shared/contract/b.ts': "import { x } from '../server/mount.ts'",
    },
  },
  {
    rule: '5. db/ imports nothing of the shop but db/',
    breaks: forbids(
      (path) => isIn(path, 'db/'),
      (to) => !isOurs(to) || isIn(to, 'db/'),
    ),
    planted: {
      'db/schema.ts': "import type { OrderStatus } from '#app/orders/contract.ts'",
      'db/connect.ts': "import { loadDemo } from '#demo/load-demo.ts'",
    },
  },
  {
    rule: '5. nobody imports the root server/',
    breaks: forbids(
      (path) => !isIn(path, 'server/', 'bin/', 'bench/', 'tools/'),
      (to) => !isIn(to, 'server/'),
    ),
    planted: {
      'app/cart/server/service.ts': "import { readConfig } from '../../../server/config.ts'",
    },
  },
  {
    rule: '6. no barrels',
    breaks: ({ path, handsOn }) => [
      ...handsOn.map((specifier) => `re-exports all of ${specifier}`),
      ...(/(^|\/)index\.tsx?$/.test(path) ? ['is an index'] : []),
    ],
    planted: {
      'app/cart/web/all.ts': "export * from './cart.ts'",
      'app/cart/index.ts': 'export const x = 1',
    },
  },
  {
    rule: '6. no utils, helpers, common, lib',
    breaks: ({ path }) =>
      path.split(/[/.]/).filter((part) => /^(utils?|helpers?|common|lib|misc)$/.test(part)),
    planted: { 'app/shared/utils/a.ts': '', 'app/cart/web/helpers.ts': '' },
  },
  {
    rule: '7. ./ inside a room, ../ at most once, else #app/…, #db/…',
    breaks: ({ imports }) =>
      imports
        .map(({ specifier }) => specifier)
        .filter((specifier) => /^\.\.\/\.\./.test(specifier)),
    planted: { 'app/cart/web/a.ts': "import { x } from '../../shared/web/call.ts'" },
  },
])
