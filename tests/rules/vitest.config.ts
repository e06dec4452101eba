/**
 * `npm run coverage` and `npm run mutation`: the tests of the rules of money and stock, and how much of the
 * rules they cover.
 */
import { defineConfig } from 'vitest/config'

/** The code of payments, checkout, coupons, taxes and stock. */
const RULES = [
  'app/{payments,checkout,coupons,taxes}/**/server/**/*.ts',
  'app/{payments,checkout,coupons,taxes}/model.ts',
  'app/products/server/stock*.ts',
]

export default defineConfig({
  test: {
    root: new URL('../../', import.meta.url).pathname,
    include: [
      'app/{payments,checkout,coupons,taxes,shipping,orders}/**/*.test.ts',
      'app/products/server/stock*.test.ts',
      'tests/{orders,payments}/**/*.test.ts',
    ],
    exclude: ['**/*.system.test.ts'],
    globalSetup: 'tests/support/database-image.ts',
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    isolate: false,
    coverage: {
      provider: 'v8',
      include: RULES,
      exclude: ['**/*.test.ts'],
      reporter: ['text'],
      reportsDirectory: 'node_modules/.cache/coverage',
    },
  },
})
