import type { Page } from '@playwright/test'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { createCategory, createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'

const newName = (page: Page) => page.getByPlaceholder('Enter new category').first()
const submit = (page: Page) => page.getByRole('button', { name: 'Submit' }).first().click()
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
const dialog = (page: Page) => page.getByRole('dialog')

test.beforeEach(async ({ page, admin }) => {
  expect(admin.user.role).toBe(1)
  await page.goto('/dashboard/admin/create-category')
  await expect(page.getByRole('heading', { name: 'Manage Category' })).toBeVisible()
})

test('creates, renames and deletes a category, which everybody sees at once', {
  tag: ['@journey', '@phone'],
}, async ({ page, call }) => {
  const name = named('Cups')
  const other = named('Mugs')
  const names = async () => (await call(categoryCalls.getCategories)).category.map((c) => c.name)

  await newName(page).fill(name)
  await submit(page)
  await expect(page.getByText(`${name} is created`)).toBeVisible()
  await expect(newName(page)).toHaveValue('')
  await expect(row(page, name)).toBeVisible()
  expect(await names()).toContain(name)

  await row(page, name).getByRole('button', { name: 'Edit' }).click()
  await expect(dialog(page).getByRole('textbox')).toHaveValue(name)
  await dialog(page).getByRole('textbox').fill(other)
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText(`${other} is updated`)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  expect(await names()).not.toContain(name)

  // after fifty others it is on another page
  await page.goto(`/dashboard/admin/create-category?q=${encodeURIComponent(other)}`)
  await row(page, other).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('category is deleted')).toBeVisible()
  await expect(row(page, other)).toHaveCount(0)
  expect(await names()).not.toContain(other)
})

test('leaves a category as it is by Cancel and by Escape', async ({ page, admin }) => {
  const { name } = await createCategory(admin, named('Cups'))
  await page.reload()
  const edit = row(page, name).getByRole('button', { name: 'Edit' })
  await edit.click()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(edit).toBeFocused()
  await edit.click()
  await dialog(page).getByRole('textbox').fill('Something else')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(edit).toBeFocused()
  await row(page, name).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, name)).toBeVisible()
})

test('is told why a category cannot be deleted', async ({ page, admin, call }) => {
  const { category } = await createProduct(admin, named('Clay cup'))
  const { category: all } = await call(categoryCalls.getCategories)
  const name = all.find(({ _id }) => _id === category)?.name ?? ''
  await page.reload()
  await row(page, name).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page).getByText(/1 product/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, name)).toBeVisible()
})

test('is told what is wrong with a name, and keeps it', async ({ page, admin }) => {
  const { name } = await createCategory(admin, named('Cups'))
  const other = await createCategory(admin, named('Mugs'))
  await page.reload()
  for (const bad of ['', '   ', 'x'.repeat(101), ` ${name.toUpperCase()}  `]) {
    await newName(page).fill(bad)
    await submit(page)
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: /name|exists/i })
        .first(),
    ).toBeVisible()
    await expect(newName(page)).toHaveValue(bad)
  }
  await row(page, other.name).getByRole('button', { name: 'Edit' }).click()
  await dialog(page).getByRole('textbox').fill(name)
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await expect(dialog(page).getByRole('status').filter({ hasText: name }).first()).toBeVisible()
  await expect(dialog(page).getByRole('textbox')).toHaveValue(name)
})

test('learns that another admin was faster', async ({ page, admin }) => {
  const { _id: id, name } = await createCategory(admin, named('Cups'))
  await page.reload()
  await row(page, name).getByRole('button', { name: 'Edit' }).click()
  await admin.call(categoryAdminCalls.deleteCategory, { params: { id } })
  await dialog(page).getByRole('textbox').fill(named('Mugs'))
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await expect(
    dialog(page)
      .getByText(/no such category/i)
      .first(),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, name)).toHaveCount(0)
})

test('a user who has lost the role is redirected', async ({ page, admin, customer }) => {
  const { user, token } = customer
  const session = { user: { ...user, role: admin.user.role }, token }
  await page.evaluate((text) => localStorage.setItem('auth', text), JSON.stringify(session))
  const { name } = await createCategory(admin, named('Cups'))
  await newName(page).fill(name)
  await submit(page)
  await expect(page.getByText(/Redirecting to you \d second/)).toBeVisible()
})
