/** Connections are set up in the back office: SMTP server and public address, by keyboard and on a phone. */
import type { Page } from '@playwright/test'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { expect } from '#tests/support/journey.ts'
import { test } from '#tests/support/own-shop.ts'
import { openSmtp } from '#tests/support/smtp.ts'

const dialog = (page: Page) => page.getByRole('dialog')

/** Opens the dialog by keyboard, and enters what a connection needs. */
async function enter(page: Page, values: Record<string, string>, password: string) {
  await page.getByRole('button', { name: /^(Set up|Change)$/ }).press('Enter')
  for (const [label, value] of Object.entries(values))
    await dialog(page).getByLabel(label, { exact: true }).fill(value)
  await dialog(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
}

test.use({ environment: {} })

test('an admin sets up SMTP server and address with the password, and tests both', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin: _, address }) => {
  test.slow()
  const smtp = await openSmtp()
  await page.goto('/dashboard/admin/settings')
  await page.getByLabel('Find a setting').fill('domain')
  await page.getByRole('link', { name: /^Address/ }).press('Enter')
  await enter(page, { 'Public address': address }, 'wrong')
  const password = dialog(page).getByLabel('Your password')
  await expect(password).toHaveAccessibleDescription(/The current password is wrong/)
  await expectAccessible(page, 'a refused password')
  await password.fill(DEMO_ADMIN.password)
  await password.press('Enter')
  await expect(dialog(page)).toBeHidden()
  await page.getByRole('button', { name: 'Test the address' }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'this shop answers at' })).toBeVisible()

  await page.goto('/dashboard/admin/settings/email')
  const { port } = new URL(smtp.url)
  const server = { 'SMTP server': '127.0.0.1', Port: '1', Sender: 'Tea House <tea@example.com>' }
  await enter(page, server, DEMO_ADMIN.password)
  await expect(dialog(page)).toBeHidden()
  const testMail = page.getByRole('button', { name: 'Send a test e-mail to me' })
  await testMail.press('Enter')
  await expect(page.getByText('nothing answers at this port')).toBeVisible()
  await expect(page.getByText('The test has found a problem')).toBeVisible()
  await enter(page, { Port: port }, DEMO_ADMIN.password)
  await expect(dialog(page)).toBeHidden()
  await testMail.press('Enter')
  await expect(page.getByText('has accepted a test e-mail to')).toBeVisible()
  const subjects = () => smtp.received.map(({ raw }) => raw)
  expect(subjects().join()).toContain('Test e-mail of')
  // and the warnings of the changes, without a restart
  await expect.poll(() => subjects().join(), { timeout: 20_000 }).toContain('SMTP server of')
  await smtp.close()
})
