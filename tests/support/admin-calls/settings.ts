import type { Page } from '@playwright/test'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { connectionCalls } from '#app/settings/connection-contract.ts'
import { DEFAULTS } from '#app/settings/server/defaults.ts'
import { checklistCalls } from '#app/setup/admin-contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { photoOf } from '#tests/support/back-office.ts'
import { expect } from '#tests/support/journey.ts'
import { ADMIN, type AdminCall, confirm, follow, goBack, press, type Scene } from './admin-call.ts'

/** Opens the settings, and changes one. */
async function openSettings({ page }: Scene) {
  await page.goto(`${ADMIN}/settings/general`)
  await page.getByLabel('Tagline').fill('all kinds of cups')
}

/** Opens the settings after another admin has changed them, and is refused to save. */
async function openConflict(scene: Scene) {
  const { page, admin } = scene
  await openSettings(scene)
  await page.getByLabel('Phone').fill('555 0100')
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const body = { revision, settings: { ...settings, tollFree: '555 0200' } }
  await admin.call(settingsAdminCalls.saveSettings, { body })
  await press(page, 'Save settings')
}

const chooseLogo = async (page: Page) =>
  page.getByLabel('Logo', { exact: true }).setInputFiles(await photoOf('teal'))

async function importSettings(page: Page, file: unknown) {
  await press(page, 'Import settings')
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'settings.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  })
}

/** An export of settings with a picture. */
async function exported() {
  const { buffer } = await photoOf('teal')
  const pictures = [{ id: 'logo', data: buffer.toString('base64') }]
  return { format: 'haat-settings', version: 1, settings: DEFAULTS, pictures }
}

/** Closes the preview and opens it, so that it is made once. */
async function preview(page: Page) {
  const summary = page.getByText('Preview of about')
  const part = page.locator('details').filter({ has: summary })
  await summary.click()
  await expect(part).not.toHaveAttribute('open')
  await summary.click()
}

const SETTINGS_CALLS: AdminCall[] = [
  {
    call: settingsAdminCalls.getAllSettings,
    open: ({ page }) => page.goto(`${ADMIN}/settings`),
    send: (page) => follow(page, 'Settings'),
    failed: 'The settings could not be loaded.',
  },
  {
    call: settingsAdminCalls.getAllSettings,
    open: openConflict,
    send: (page) => press(page, 'Load it again'),
    failed: 'It could not be loaded.',
  },
  {
    call: settingsAdminCalls.saveSettings,
    open: openSettings,
    send: (page) => press(page, 'Save settings'),
    failed: 'The settings could not be saved.',
  },
  {
    call: settingsAdminCalls.uploadPicture,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/settings/brand`)
      await chooseLogo(page)
      await expect(page.getByRole('img', { name: 'The logo' })).toBeVisible()
    },
    send: chooseLogo,
    // the sentence stays until the next picture
    again: chooseLogo,
    failed: 'The picture could not be uploaded.',
  },
  {
    call: settingsAdminCalls.uploadPicture,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/settings`)
      await importSettings(page, await exported())
    },
    send: (page) => confirm(page, 'Replace'),
    failed: 'The settings could not be replaced.',
    succeeded: 'The settings are saved',
  },
  {
    call: settingsAdminCalls.previewText,
    open: async (scene) => {
      await scene.page.goto(`${ADMIN}/settings/texts`)
      await scene.page.getByLabel('Text of About').fill('We sell cups.')
      await scene.page.getByText('Preview of about').click()
      await scene.page.getByRole('paragraph').filter({ hasText: 'We sell cups.' }).waitFor()
    },
    send: preview,
    // the sentence stays until the next preview
    again: preview,
    failed: 'The preview could not be made.',
  },
  {
    call: settingsAdminCalls.exportSettings,
    open: ({ page }) => page.goto(`${ADMIN}/settings`),
    send: (page) => press(page, 'Export settings'),
    failed: 'The file could not be downloaded.',
  },
]

const CONNECTION_CALLS: AdminCall[] = [
  {
    call: connectionCalls.getConnections,
    open: ({ page }) => page.goto(`${ADMIN}/settings`),
    send: (page) => page.getByRole('link', { name: /^Address/ }).click(),
    again: async (page) => {
      // the page that could not be loaded
      await page.waitForURL(/address$/)
      await goBack(page)
    },
    failed: 'The settings could not be loaded.',
  },
  {
    call: connectionCalls.saveConnection,
    isUnset: true,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/settings/address`)
      await page.getByRole('button', { name: /^(Set up|Change)$/ }).click()
      await page.getByRole('textbox', { name: 'Public address' }).fill('https://shop.example.com')
      await page.getByLabel('Your password').fill(DEMO_ADMIN.password)
    },
    send: (page) => confirm(page, 'Save'),
    failed: 'It could not be saved.',
  },
  {
    call: connectionCalls.testConnection,
    open: ({ page }) => page.goto(`${ADMIN}/settings/address`),
    send: (page) => press(page, 'Test the address'),
    failed: 'It could not be tested.',
    succeeded: 'Public address:',
  },
]

const SETUP_CALLS: AdminCall[] = [
  {
    call: checklistCalls.getChecklist,
    open: ({ page }) => page.goto(ADMIN),
    send: (page) => follow(page, 'Home'),
    failed: 'The checklist could not be loaded.',
  },
  {
    call: checklistCalls.getFindings,
    open: ({ page }) => page.goto(ADMIN),
    send: (page) => follow(page, 'Home'),
    failed: 'The findings of the doctor could not be loaded.',
  },
]

export const SETTINGS: AdminCall[] = [...SETTINGS_CALLS, ...CONNECTION_CALLS, ...SETUP_CALLS]
