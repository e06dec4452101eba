import { expect, test } from '#tests/support/journey.ts'

test('the admin reads what a customer was sent, without the secret of its link', async ({
  page,
  admin: _,
  customer,
}) => {
  await page.goto('/dashboard/admin/outbox')
  await expect(page.getByText('E-mail is not set up, so customers get none.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Set up e-mail' })).toHaveAttribute(
    'href',
    '/dashboard/admin/settings/email',
  )
  await page.getByLabel('Recipient').fill(customer.email)
  await page.keyboard.press('Enter')
  const email = page.getByRole('row').nth(1)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(email).toContainText(customer.email)
  // by a job
  await expect(async () => {
    await page.reload()
    await expect(email).toContainText('Not sent', { timeout: 1000 })
  }).toPass()

  await email.getByRole('link', { name: /^Welcome to/ }).click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('heading', { name: /^Welcome to/ })).toBeVisible()
  await expect(frame.getByText(`Hello ${customer.user.name},`)).toBeVisible()
  await expect(frame.getByRole('link', { name: 'Confirm my address' })).toHaveAttribute(
    'href',
    /\/confirm-email#hidden$/,
  )
  await expect(page.getByText('Its link is shown without its secret')).toBeVisible()
  // the whole e-mail is in view: its frame does not scroll
  const { height } = (await page.locator('iframe').boundingBox()) ?? { height: 0 }
  const whole = await frame.locator('html').evaluate(({ scrollHeight }) => scrollHeight)
  expect(Math.abs(height - whole)).toBeLessThan(4)
  await page.getByText('Plain text').click()
  await expect(page.locator('pre')).toContainText('#hidden')
})
