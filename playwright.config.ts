import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/support/chromium.ts'

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Journeys run on the desktop; those tagged @phone also on a phone, and in CI those of the specification. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './tests/support/running-shop.ts',
  fullyParallel: true,
  workers: 2,
  // against what hangs: a busy machine may take a minute for what takes seconds elsewhere
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    launchOptions: await findChromium(),
    // recording takes an eighth of the CPU time of all journeys; --trace records one
    trace: 'off',
  },
  projects: [
    { name: 'desktop', use: DESKTOP },
    {
      name: 'phone',
      grep: /@phone/,
      use: PHONE,
    },
    { name: 'specification-on-phone', grep: /@specification/, use: PHONE },
  ],
})
