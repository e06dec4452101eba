import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The processes that tests start load their compiled modules from here, like `npm start`. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

/** Real shops whose processes, databases and providers fail. */
const FAULTS = 'tests/faults/**/*.test.ts'
/**
 * `npm run test:system`, with the faults and attacks: tests that need the build, start processes, send
 * thousands of requests or fill large catalogues.
 */
const SYSTEM = [
  'tests/{backup,cache,command-line,fuzz,input,operation,plans,search-quality,workers}/**/*.test.ts',
  '**/*.system.test.ts',
]
/** `npm run test:attacks` */
const ATTACKS = 'tests/attacks/**/*.test.ts'
/** `npm run test:money`, with `tests/orders` and the tests of the fake Razorpay */
const MONEY = 'tests/money/**/*.test.ts'
/** `npm run test:pgbouncer` */
const PGBOUNCER = 'tests/pgbouncer/**/*.test.ts'
/** `npm run test:image` */
const IMAGE = 'tests/image/**/*.test.ts'
/** `npm run test:cluster`, with the faults of `tests/cluster/main.ts` */
const CLUSTER = 'tests/cluster/**/*.test.ts'

/** Left out by `npm run test:database`: their results do not depend on the database. */
const WITHOUT_DATABASE = [
  '{bench,server/connections,tests/architecture}/**/*.test.ts',
  'app/shared/server/limits/limits.test.ts',
  'app/products/server/product-upload.test.ts',
]

const NO_UNITS = [...SYSTEM, FAULTS, ATTACKS, MONEY, PGBOUNCER, IMAGE, CLUSTER]

/** Unit and API tests. */
const SHOP = {
  include: ['{app,bench,db,demo,server,tests}/**/*.test.ts'],
  maxWorkers: 2,
  // The shop has no module state, so files may share what they import.
  isolate: false,
  sequence: { groupOrder: 1 },
}

/** Begun first, so that no processor is without work while the other ends one of them. */
const LONGEST = [
  'tests/orders/schedules.test.ts',
  'tests/money/random-stories.test.ts',
  'tests/operation/first-start.test.ts',
  'tests/command-line/shop.test.ts',
  'tests/operation/demo.test.ts',
  'tests/operation/flood.test.ts',
  'tests/operation/rolling-restart.test.ts',
  'tests/operation/shutdown.test.ts',
  'tests/workers/shared-state.test.ts',
  'tests/search-quality/search-quality.test.ts',
  'tests/workers/exits.test.ts',
  'tests/cache/model.test.ts',
  'tests/fuzz/guarded.test.ts',
  'tests/input/bodies.test.ts',
  'tests/attacks/values.test.ts',
  'app/accounts/server/profile.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(path))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    env: { NODE_COMPILE_CACHE },
    sequence: { sequencer: LongestFirst },
    globalSetup: 'tests/support/database-image.ts',
    // Long enough for a busy machine: only a test that hangs is ended.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { ...SHOP, name: 'shop', exclude: NO_UNITS } },
      {
        extends: true,
        test: { ...SHOP, name: 'database', exclude: [...NO_UNITS, ...WITHOUT_DATABASE] },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: SYSTEM,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [FAULTS],
          maxWorkers: 1,
          maxConcurrency: 4,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          include: [ATTACKS],
          maxWorkers: 2,
          // beside faults, the costs that they bound would be those of a busy machine
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          name: 'money',
          include: [MONEY],
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pgbouncer',
          include: [PGBOUNCER],
          maxWorkers: 1,
          sequence: { groupOrder: 6 },
        },
      },
      {
        extends: true,
        test: {
          name: 'image',
          include: [IMAGE],
          maxWorkers: 1,
          sequence: { groupOrder: 7 },
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: [CLUSTER],
          maxWorkers: 1,
          sequence: { groupOrder: 8 },
        },
      },
    ],
  },
})
