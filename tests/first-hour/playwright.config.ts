import { defineConfig } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'

/** `npm run test:first-hour`: alone, because it measures time, and without the shop of the journeys. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/first-hour',
  workers: 1,
  timeout: 480_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    launchOptions: await findChromium(),
    trace: 'off',
    actionTimeout: 60_000,
  },
})
