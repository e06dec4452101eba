import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
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

export const EMAILS: AdminCall[] = [
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
