import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['app/**/*.test.ts', 'db/**/*.test.ts', 'server/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: 'tests/support/database-image.ts',
    // only what hangs is cut off: a busy machine takes its time
    testTimeout: 60_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
})
