import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { UNREACHABLE } from '#app/shared/web/failure/error-status.ts'
import { expect } from '#tests/support/journey.ts'
import { ADMIN, type AdminCall, goBack, press, type Scene } from './admin-call.ts'

/** Opens the list with the e-mail of a customer, which has bounced. */
async function openBounced({ page, customer }: Scene) {
  await page.goto(`${ADMIN}/outbox?q=${encodeURIComponent(customer.email)}`)
  // a job sends it
  await expect(async () => {
    if ((await page.getByText('Send again').count()) === 0) await page.reload()
    await expect(page.getByText('Send again').first()).toBeVisible({ timeout: 500 })
  }).toPass()
}

export const EMAILS: AdminCall[] = [
  {
    call: emailAdminCalls.getEmails,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/outbox`)
      await page.getByLabel('Recipient').fill('Asha')
    },
    send: (page) => press(page, 'Find'),
    failed: 'The e-mails could not be loaded.',
  },
  {
    call: emailAdminCalls.getEmail,
    open: ({ page, customer }) =>
      page.goto(`${ADMIN}/outbox?q=${encodeURIComponent(customer.email)}`),
    send: (page) => page.getByRole('article').first().getByRole('link').click(),
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: emailAdminCalls.retryEmail,
    open: openBounced,
    send: (page) => page.getByRole('button', { name: 'Send again' }).first().click(),
    failed: 'The e-mail could not be queued again.',
  },
]
