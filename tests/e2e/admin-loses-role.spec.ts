/** A user who has lost the admin role is redirected after any action, not only forms. */
import type { Page } from '@playwright/test'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const isShownOut = (page: Page) =>
  expect(page.getByText(/Redirecting to you \d second/)).toBeVisible()

/** Replaces the browser's session by another user's, without an event on this page. */
async function demote(page: Page, { admin, customer }: Record<'admin' | 'customer', Visitor>) {
  const session = JSON.stringify({ user: admin.user, token: customer.token })
  await page.evaluate((text) => localStorage.setItem('auth', text), session)
}

test('on deleting a product', async ({ page, admin, customer }) => {
  const { slug } = await createProduct(admin, named('Clay cup'))
  await page.goto(`/dashboard/admin/product/${slug}`)
  await press(page, 'DELETE PRODUCT')
  await page.getByRole('dialog').getByRole('textbox').fill('yes')
  await press(page, 'OK')
  await demote(page, { admin, customer })
  await press(page, 'Delete product')
  await isShownOut(page)
})

test('on ending sessions', async ({ page, admin, customer }) => {
  await page.goto(`/dashboard/admin/users/${customer.user._id}`)
  await press(page, 'End sessions')
  await demote(page, { admin, customer })
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
  await isShownOut(page)
})

test('on downloading', async ({ page, admin, customer }) => {
  await page.goto('/dashboard/admin/import-export')
  await expect(page.getByRole('button', { name: 'Export products' })).toBeEnabled()
  await demote(page, { admin, customer })
  await press(page, 'Export products')
  await isShownOut(page)
})

test('on checking a file', async ({ page, admin, customer }) => {
  await page.goto('/dashboard/admin/import-export')
  const buffer = Buffer.from('slug,name\r\n')
  await page.getByLabel('CSV file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  await demote(page, { admin, customer })
  await press(page, 'Check the file')
  await isShownOut(page)
})
