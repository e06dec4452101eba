import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { listParked } from '#tests/support/back-office.ts'
import { expect } from '#tests/support/journey.ts'
import { ADMIN, type AdminCall, confirm, goBack, press, type Scene } from './admin-call.ts'

/** Opens the list with the e-mail of a customer, which has bounced. */
async function openBounced({ page, customer }: Scene) {
  await page.goto(`${ADMIN}/outbox?q=${encodeURIComponent(customer.email)}`)
  // a job sends it
  await expect(async () => {
    if ((await page.getByText('Send again').count()) === 0) await page.reload()
    await expect(page.getByText('Send again').first()).toBeVisible({ timeout: 500 })
  }).toPass()
}

/** Opens the question of a button for all parked e-mails. */
const askOfParked =
  (button: string) =>
  async ({ page }: Scene) => {
    await listParked(page, 3)
    await page.goto(`${ADMIN}/outbox`)
    await press(page, button)
    await expect(page.getByRole('dialog')).toContainText('3 parked e-mails will be')
  }

/** Changes how customers pay in a shop without an SMTP server, and opens the back office. */
async function openWarned({ page, admin }: Scene) {
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const { paymentMethods } = settings
  const instructions = `Changed at ${Date.now()}`
  const bank_transfer = { ...paymentMethods.bank_transfer, instructions }
  const changed = { ...settings, paymentMethods: { ...paymentMethods, bank_transfer } }
  const body = { revision, settings: changed, password: DEMO_ADMIN.password }
  await admin.call(settingsAdminCalls.saveSettings, { body })
  await page.goto(ADMIN)
  // a job keeps the e-mail
  await expect(async () => {
    if ((await page.getByText('I have read this').count()) === 0) await page.reload()
    await expect(page.getByText('I have read this')).toBeVisible({ timeout: 500 })
  }).toPass()
}

export const EMAILS: AdminCall[] = [
  {
    call: emailAdminCalls.getWarnings,
    open: ({ page }) => page.goto(`${ADMIN}/outbox`),
    send: (page) => page.reload(),
    again: (page) => page.reload(),
    failed: 'Warnings could not be loaded.',
    always: true,
  },
  {
    call: emailAdminCalls.readWarnings,
    open: openWarned,
    send: (page) => press(page, 'I have read this'),
    failed: 'It could not be marked as read.',
  },
  {
    call: emailAdminCalls.getEmails,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/outbox`)
      await page.getByLabel('Recipient').fill('Asha')
    },
    send: (page) => page.getByLabel('Recipient').press('Enter'),
    failed: 'The e-mails could not be loaded.',
  },
  {
    call: emailAdminCalls.getEmail,
    open: ({ page, customer }) =>
      page.goto(`${ADMIN}/outbox?q=${encodeURIComponent(customer.email)}`),
    send: (page) => page.getByRole('row').nth(1).getByRole('link').click(),
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: emailAdminCalls.retryEmail,
    open: openBounced,
    send: (page) => page.getByRole('button', { name: 'Send again' }).first().click(),
    failed: 'The e-mail could not be queued again.',
  },
  {
    call: emailAdminCalls.sendParked,
    open: askOfParked('Send all parked'),
    send: (page) => confirm(page, 'Send all'),
    failed: 'The parked e-mails could not be queued.',
  },
  {
    call: emailAdminCalls.dropParked,
    open: askOfParked('Delete all parked'),
    send: (page) => confirm(page, 'Delete all'),
    failed: 'The parked e-mails could not be deleted.',
  },
]
