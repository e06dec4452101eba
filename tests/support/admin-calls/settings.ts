import type { Page } from '@playwright/test'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { DEFAULTS } from '#app/settings/server/defaults.ts'
import { checklistCalls } from '#app/setup/admin-contract.ts'
import { photoOf } from '#tests/support/back-office.ts'
import { expect } from '#tests/support/journey.ts'
import { ADMIN, type AdminCall, follow, press, type Scene } from './admin-call.ts'

/** Opens the settings, and changes one. */
async function openSettings({ page }: Scene) {
  await page.goto(`${ADMIN}/settings`)
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

const importSettings = (page: Page, file: unknown) =>
  page.getByLabel('Import settings').setInputFiles({
    name: 'settings.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  })

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
    open: openSettings,
    send: (page) => follow(page, 'Settings'),
    failed: 'The settings could not be loaded.',
  },
  {
    call: settingsAdminCalls.getAllSettings,
    open: openConflict,
    send: (page) => press(page, 'Load them again'),
    failed: 'The settings could not be loaded.',
  },
  {
    call: settingsAdminCalls.saveSettings,
    open: openSettings,
    send: (page) => press(page, 'Save settings'),
    failed: 'The settings could not be saved.',
  },
  {
    call: settingsAdminCalls.uploadPicture,
    open: openSettings,
    send: chooseLogo,
    // the sentence stays until the next picture
    again: chooseLogo,
    failed: 'The picture could not be uploaded.',
  },
  {
    call: settingsAdminCalls.uploadPicture,
    open: openSettings,
    send: async (page) => importSettings(page, await exported()),
    // the sentence stays until the next file
    again: (page) => importSettings(page, 'no export'),
    failed: 'The file could not be read.',
    succeeded: 'The form has the settings of the file.',
  },
  {
    call: settingsAdminCalls.previewText,
    open: async (scene) => {
      await openSettings(scene)
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
    open: openSettings,
    send: (page) => press(page, 'Export settings'),
    failed: 'The file could not be downloaded.',
  },
]

const SETUP_CALLS: AdminCall[] = [
  {
    call: checklistCalls.getChecklist,
    open: ({ page }) => page.goto(ADMIN),
    send: (page) => follow(page, 'Admin Page'),
    failed: 'The checklist could not be loaded.',
  },
  {
    call: checklistCalls.getFindings,
    open: ({ page }) => page.goto(ADMIN),
    send: (page) => follow(page, 'Admin Page'),
    failed: 'The findings of the doctor could not be loaded.',
  },
]

export const SETTINGS: AdminCall[] = [...SETTINGS_CALLS, ...SETUP_CALLS]
