import { defineConfig } from 'vitest/config'

/** They start real shops, and kill them: when the others are done, and a few at a time, for they wait a lot. */
const FAULTS = 'tests/faults/**/*.test.ts'
/** `npm run test:attacks` */
const ATTACKS = 'tests/attacks/**/*.test.ts'
/** `npm run test:pgbouncer` */
const PGBOUNCER = 'tests/pgbouncer/**/*.test.ts'

export default defineConfig({
  test: {
    globalSetup: 'tests/support/database-image.ts',
    // only what hangs is cut off: a busy machine takes its time
    testTimeout: 60_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'shop',
          include: ['{app,bench,db,server,tests}/**/*.test.ts'],
          exclude: [FAULTS, ATTACKS, PGBOUNCER],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [FAULTS],
          maxWorkers: 1,
          maxConcurrency: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          include: [ATTACKS],
          maxWorkers: 2,
          testTimeout: 300_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pgbouncer',
          include: [PGBOUNCER],
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
