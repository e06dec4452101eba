import { expect, test } from '#tests/support/journey.ts'

test('the admin reads what a customer was sent, without the secret of its link', async ({
  page,
  admin: _,
  customer,
}) => {
  await page.goto('/dashboard/admin')
  await page.getByRole('link', { name: 'Outbox' }).click()
  await expect(page.getByText('The shop has no SMTP server, so')).toBeVisible()
  await page.getByLabel('Recipient').fill(customer.email)
  await page.getByRole('button', { name: 'Find' }).click()
  const email = page.getByRole('article')
  await expect(email).toHaveCount(1)
  await expect(email).toContainText(`To ${customer.email}`)
  // a job writes it to a file
  await expect(async () => {
    await page.reload()
    await expect(email).toContainText('Kept', { timeout: 1000 })
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
  await page.getByText('Plain text').click()
  await expect(page.locator('pre')).toContainText('#hidden')
})
