import { defineConfig } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'

/** `npm run test:first-hour`: alone, because it reports times, and without the shop of the journeys. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/first-hour',
  workers: 1,
  timeout: 1_800_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    launchOptions: await findChromium(),
    trace: 'off',
    actionTimeout: 60_000,
  },
})
